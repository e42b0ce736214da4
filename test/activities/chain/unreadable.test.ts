import { createServer } from 'node:http';
import { inspect } from 'node:util';
import { receiptActivities } from '../../../activities/chain/receipt';
import { listening } from '../../support/service/listening';
import { someone } from '../../support/stages';

describe('a receipt that cannot be read', () => {
  const question = {
    txHash: `0x${'ab'.repeat(32)}`,
    sender: someone(),
    effect: { kind: 'call', from: someone() } as const,
  };
  const needsOperator = {
    type: 'NeedsOperator',
    nonRetryable: true,
    details: [{ ambiguous: true }],
  };

  it('without CHAIN_RPC_URL needs the operator', async () => {
    await expect(receiptActivities(undefined).checkReceipt(question)).rejects.toMatchObject({
      ...needsOperator,
      message: expect.stringMatching(/^CHAIN_RPC_URL is not set on this worker, but /),
    });
  });

  it.each([
    ['is not there', undefined, 'HTTP request failed.'],
    ['is not a node', 404, 'HTTP request failed. HTTP status 404.'],
    ['does not answer in time', 'never', 'no answer within 8 s'],
  ] as const)('from a node that %s is a plain error without its key', async (_, how, reason) => {
    const server = createServer((_request, response) => {
      if (how === 'never') response.writeHead(200).write('{');
      else response.writeHead(how ?? 500).end('{}');
    });
    const { port, close } = await listening(server);
    if (how === undefined) await close();
    const url = `http://user:xyzzy-1@127.0.0.1:${port}/v2/xyzzy-2?key=xyzzy-3`;
    const error = await receiptActivities(url)
      .checkReceipt(question)
      .catch((caught) => caught);
    await close();
    expect(error).toEqual(
      new Error(`The chain at http://127.0.0.1:${port} could not be read: ${reason}`),
    );
    expect(inspect(error, { depth: 9 })).not.toMatch(/xyzzy/);
  });
});
