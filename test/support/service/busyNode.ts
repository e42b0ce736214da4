import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

type Call = { id: number };

/**
 * A node with the limits of Arc's public one. It answers one call at a time. Another request, and
 * each further item of a batch, gets the error -32011.
 */
export async function startBusyNode(rpcUrl: string) {
  const counts = { answered: 0, refusedRequests: 0, refusedItems: 0 };
  const error = { code: -32_011, message: 'request limit reached' };
  let isBusy = false;
  const ask = async (call: Call): Promise<unknown> => {
    const headers = { 'content-type': 'application/json' };
    const asked = await fetch(rpcUrl, { method: 'POST', headers, body: JSON.stringify(call) });
    counts.answered += 1;
    return asked.json();
  };
  const server = createServer(async (request, response) => {
    const given: Call | Call[] = JSON.parse(Buffer.concat(await request.toArray()).toString());
    const [first, ...further] = [given].flat();
    response.setHeader('content-type', 'application/json');
    if (isBusy || first === undefined) {
      counts.refusedRequests += 1;
      const id = first?.id ?? null;
      response.writeHead(429).end(JSON.stringify({ jsonrpc: '2.0', id, error }));
      return;
    }
    isBusy = true;
    try {
      counts.refusedItems += further.length;
      const answer = await ask(first);
      const others = further.map(({ id }) => ({ jsonrpc: '2.0', id, error }));
      response.end(JSON.stringify(Array.isArray(given) ? [answer, ...others] : answer));
    } catch {
      response.destroy();
    } finally {
      isBusy = false;
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = (): void => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${port}`, counts, close };
}
