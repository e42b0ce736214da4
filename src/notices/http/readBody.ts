import type { IncomingMessage } from 'node:http';

/** Larger than any notice of the service. */
export const bodyBytesMax = 64 * 1024;

/** Reads the exact bytes of a body. Undefined for one that is too large: the rest is not read. */
export async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  if (Number(request.headers['content-length'] ?? 0) > bodyBytesMax) return undefined;
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    bytes += chunk.length;
    if (bytes > bodyBytesMax) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
