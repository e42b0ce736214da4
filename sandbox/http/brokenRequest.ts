import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';

/** Statuses of what Node's HTTP parser refuses by itself. All else is a plain 400. */
const statuses: Readonly<Record<string, number>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
};

const contentType = 'application/json; charset=utf-8';

/** Answers bytes that are no HTTP request, in the service's form, and closes the connection. */
export function refuseBroken(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  const status = statuses[error.code ?? ''] ?? 400;
  const body = JSON.stringify({ code: status, message: `${STATUS_CODES[status]}.` });
  // It stops half-way in a body that its answer did not wait for: there is nothing more to say.
  const isAnswered = error.code === 'HPE_INVALID_EOF_STATE' && socket.bytesWritten > 0;
  if (isAnswered || !socket.writable) {
    socket.destroy();
    return;
  }
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\n` +
      `Content-Type: ${contentType}\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    () => socket.destroy(),
  );
}

/** Answers an Expect header that nobody can meet, which Node would refuse without a word. */
export function refuseExpectation(_request: IncomingMessage, response: ServerResponse): void {
  const body = JSON.stringify({ code: 417, message: `${STATUS_CODES[417]}.` });
  response
    .writeHead(417, {
      'content-type': contentType,
      'content-length': body.length,
      connection: 'close',
    })
    .end(body);
}
