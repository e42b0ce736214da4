import { randomUUID } from 'node:crypto';
import { WorkflowFailedError } from '@temporalio/client';
import type { CustodyApi } from '../../../src/custody/endpoints';
import { type OrderKind, orderKinds } from '../../../src/orders/kinds';
import { tables } from '../../orders/input/tables';
import { setUp } from '../../support/jest/setUp';
import { runOrders } from '../../support/orders';

/** The calls that the service was asked for, and the network of its wallets. */
let asked: string[];
let blockchain: string;
const orders = setUp(() => runOrders(custody, { baseUrl: 'https://service.example/v1/w3s' }));
beforeEach(() => {
  asked = [];
});

const address = `0x${'a1'.repeat(20)}`;
const custody = new Proxy({} as CustodyApi, {
  get:
    (_, name) =>
    async ({ id }: { id: string }) => {
      asked.push(String(name));
      if (name === 'getWallet') return { wallet: { id, address, blockchain, state: 'LIVE' } };
      throw new Error(`Nobody may call ${String(name)}.`);
    },
});

/** The sentence with which an order is refused. */
async function refusal(kind: OrderKind, order: object): Promise<unknown> {
  const payoutId = randomUUID();
  const [id, args] =
    kind === 'payout' ? [`payout:${payoutId}`, [{ ...order, payoutId }]] : [payoutId, [order]];
  const options = { workflowId: id, taskQueue: orders.taskQueue, args };
  const error: unknown = await orders.client.workflow.execute(kind, options).catch((one) => one);
  return error instanceof WorkflowFailedError ? error.cause : error;
}

test.each(orderKinds)('%s of another network is refused, and nobody is asked', async (kind) => {
  expect(await refusal(kind, { ...tables[kind].order, blockchain: 'ARC' })).toMatchObject({
    type: 'Refused',
    message:
      'blockchain: is ARC, and these workers are for ARC-TESTNET. ' +
      'Start it on the task queue of workers with CUSTODY_BLOCKCHAIN=ARC.',
  });
  expect(asked).toEqual([]);
});

test.each([
  ['ARC', ', or start the order on the task queue of workers with CUSTODY_BLOCKCHAIN=ARC.'],
  ['ETH-SEPOLIA', '.'],
])('an order from a wallet on %s is refused, and nothing is sent', async (network, wayOut) => {
  blockchain = network;
  const walletId = randomUUID();
  const order = { ...tables.transferStablecoin.order, from: { walletId } };
  expect(await refusal('transferStablecoin', order)).toMatchObject({
    type: 'Refused',
    message: expect.stringContaining(
      `from: wallet ${walletId} is on ${network}, not on ARC-TESTNET. ` +
        `Name a wallet on ARC-TESTNET${wayOut}`,
    ),
  });
  expect(new Set(asked)).toEqual(new Set(['getWallet']));
});
