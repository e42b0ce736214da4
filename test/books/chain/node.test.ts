import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openPlaces, type ReadingPlaces } from '../../../src/books/archive/places';
import { type ChainNode, openNode } from '../../../src/books/chain/node';
import { listening } from '../../support/service/listening';

/** Asks a node that gives one answer to everything whether it keeps the state of a block. */
function keepsState(answer: object, kept?: ReadingPlaces['kept']): Promise<boolean> {
  return asked({ answer, kept }, (node) => node.keepsStateOf(7));
}

type Given = { answer: object; status?: number; kept?: ReadingPlaces['kept'] | undefined };

async function asked(
  { answer, status = 200, kept }: Given,
  ask: (node: ChainNode) => Promise<boolean>,
): Promise<boolean> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      const { id }: { id: number } = JSON.parse(Buffer.concat(chunks).toString());
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ jsonrpc: '2.0', id, ...answer }));
    });
  });
  const { url, close } = await listening(server);
  try {
    const node = openNode(url, { patienceMs: 200, kept });
    return await ask(node);
  } finally {
    await close();
  }
}

describe('the state of a block', () => {
  it.each([
    ['geth', -32000, 'missing trie node 1a3b (path ) state 0x1a3b is not available'],
    ['geth by paths', -32000, 'historical state 1a3b is not available'],
    ['reth', -32603, 'State at block #7 is pruned'],
    ['nethermind', -32002, 'No state available for block 7 (0x1a3b)'],
    ['erigon', -32000, 'old data not available due to pruning'],
    ['a provider', -32002, 'project ID does not have access to archive state'],
    ['anvil', -32602, 'BlockOutOfRangeError: block height is 9 but requested was 7'],
  ])('is absent where %s says so', async (_, code, message) => {
    expect(await keepsState({ error: { code, message } })).toBe(false);
  });

  it.each([
    [-32005, 'limit exceeded'],
    [-32007, '50/second request limit reached'],
    [429, 'Too Many Requests'],
    [-32603, 'Internal error'],
    [-32000, 'header not found'],
    [-32014, 'the state of this block is not there yet'],
    [-32005, 'limit exceeded for archive calls'],
  ])('is not known after the answer %i: %s', async (code, message) => {
    await expect(keepsState({ error: { code, message } })).rejects.toThrow(
      `does not tell balances of block 7: `,
    );
  });

  it('is there where the node has a balance', async () => {
    expect(await keepsState({ result: '0x0' })).toBe(true);
  });

  it('is asked for again by a reading that goes on, since the node may have dropped it', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'steadfast-places-'));
    const places = openPlaces(`file:${join(folder, 'store.db')}`, { url: 'a node', fromMs: 0 });
    const message = 'BlockOutOfRangeError: block height is 24 but requested was 7';
    await places.during(async () => {
      expect(await keepsState({ result: '0x0' }, places.kept)).toBe(true);
      expect(await keepsState({ error: { code: -32602, message } }, places.kept)).toBe(false);
    });
    rmSync(folder, { recursive: true });
  });
});

describe('logs of all contracts', () => {
  const ask = (code: number, message: string, status?: number) =>
    asked({ answer: { error: { code, message } }, ...(status && { status }) }, (node) =>
      node.tellsAllLogs(7),
    );

  it.each([
    [-32602, 'please specify an address in your request', undefined],
    [-32601, 'the method is not allowed on your plan', undefined],
    [-32000, 'this filter is not supported', 403],
  ])('are not told by a node that refuses the filter: %i, %s', async (code, message, status) => {
    expect(await ask(code, message, status)).toBe(false);
  });

  it.each([
    [-32011, 'request limit reached', undefined],
    [-32014, 'requested data not available', undefined],
    [-32000, 'slow down', 429],
  ])('are asked for again, where the node has trouble: %i, %s', async (code, message, status) => {
    await expect(ask(code, message, status)).rejects.toThrow('does not tell logs of block 7');
  });

  it.each([408, 502])('are asked for again after HTTP %i alone', async (status) => {
    const away = asked({ answer: {}, status }, (node) => node.tellsAllLogs(7));
    await expect(away).rejects.toThrow('does not tell logs of block 7');
  });
});
