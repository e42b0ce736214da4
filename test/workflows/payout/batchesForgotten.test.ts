import { setTimeout as sleep } from 'node:timers/promises';
import type { PayoutLine } from '../../../src/client/client';
import type { Progress } from '../../../src/orders/progress/status';
import { times } from '../../support/lane';
import { createServe, type Orders, runOrders } from '../../support/orders';
import { linesOf, newLine, newLines, paidOnChain, payers, payoutOf } from '../../support/payouts';
import { inSandbox } from '../../support/sandbox';
import { inTemporal } from '../../support/temporal';

/** A server that has never heard of the payouts, as after the retention of the first one. */
const other = inTemporal();
const sandbox = inSandbox();
let first: Orders;
let second: Orders;
const serve = createServe();
beforeAll(async () => {
  const { baseUrl, rpcUrl: chainRpcUrl } = sandbox;
  first = await serve(sandbox.client, { baseUrl, chainRpcUrl });
  second = await serve(sandbox.client, { baseUrl, chainRpcUrl, address: other.address });
});

/** The same payout as it is uploaded a month later. */
type Again = {
  lines: PayoutLine[];
  batch?: { linesMax: number } | false;
  /** The number of wallets that pay it too. */
  joins?: number;
  /** True for a line that now differs from what was paid. A person is asked about it. */
  differs?: (line: PayoutLine) => boolean;
};

const changes: [string, (paid: PayoutLine[]) => Again][] = [
  ['the same file', (lines) => ({ lines })],
  ['50 lines more', (lines) => ({ lines: [...lines, ...newLines(50)] })],
  ['the lines sorted otherwise', (lines) => ({ lines: [...newLines(3), ...lines.toReversed()] })],
  ['larger batches', (lines) => ({ lines: [...lines, ...newLines(3)], batch: { linesMax: 9 } })],
  ['smaller batches', (lines) => ({ lines: [...newLines(3), ...lines], batch: { linesMax: 2 } })],
  ['no batches', (lines) => ({ lines: [...newLines(3), ...lines], batch: false })],
  [
    'a wallet more',
    // A line is paid, from whichever wallet of the account.
    (lines) => ({ lines: [...lines, ...newLines(3)], joins: 1 }),
  ],
  [
    'a corrected recipient',
    (lines) => ({
      lines: [...lines.map(corrected), ...newLines(3)],
      differs: ({ lineId }) => lineId === lines[0]?.lineId,
    }),
  ],
];

function corrected(line: PayoutLine, at: number): PayoutLine {
  return at === 0 ? { ...line, to: newLine().to } : line;
}

/** Pays twelve lines in batches of four. Then the service forgets all keys. */
async function monthAgo(type: 'EOA' | 'SCA') {
  await keepKeysFor(2_592_000_000);
  const paid = newLines(12);
  const order = payoutOf(await payers(sandbox, type, type), { batch: { linesMax: 4 } });
  const started = await first.steadfast.payout(order, paid);
  expect(await started.receipt()).toMatchObject({ lines: 12, paid: 12 });
  await keepKeysFor(1);
  return { order, paid };
}

async function keepKeysFor(keyLifetimeMs: number): Promise<void> {
  const change = { headers: {}, body: { keyLifetimeMs } };
  expect((await sandbox.request('PATCH', '/_sandbox/settings', change)).status).toBe(200);
}

/** True once every line is paid, or asks a person. */
function isSettled({ payout }: Progress): boolean {
  const { lines = 0, paid = 0, unknown = 0 } = payout ?? {};
  return lines > 0 && paid + unknown === lines;
}

/** Lines that the chain has paid with another number of transfers than one. */
async function notPaidOnce(lines: readonly PayoutLine[]) {
  const transfers = Object.entries(await paidOnChain(sandbox, lines));
  return transfers.filter(([, hashes]) => hashes.length !== 1);
}

const types = (['EOA', 'SCA'] as const).slice(0, times({ short: 1, all: 2 }));

describe.each(types)('a month after a payout in batches from wallets of type %s', (type) => {
  test.each(changes)('%s: pays no line twice, and all that are new', async (_name, change) => {
    const { order, paid } = await monthAgo(type);
    const { lines, batch = order.batch, joins = 0, differs = () => false } = change(paid);
    const joined = await payers(sandbox, ...Array.from({ length: joins }, () => type));
    const wallets = [...(order.wallets ?? []), ...joined.map(({ id }) => id)];
    const { workflowId } = await second.steadfast.payout({ ...order, wallets, batch }, lines);
    const { evidence } = await second.progress(workflowId, isSettled);
    expect(await notPaidOnce([...paid, ...lines.filter((line) => !isOf(paid, line))])).toEqual([]);
    const told = (await linesOf(second, workflowId)).map((line) => [line.lineId, line.outcome]);
    const expected = lines.map((line) => [line.lineId, differs(line) ? 'unknown' : 'paid']);
    expect(told).toEqual(expected);
    const asks = told.some(([, outcome]) => outcome === 'unknown');
    expect(evidence?.[0] ?? '').toMatch(asks ? /is not what was ordered: it pays/ : /^$/);
  });

  test('no node of the chain: pays what is new, and the others wait for a node', async () => {
    const { order, paid } = await monthAgo(type);
    const { baseUrl, rpcUrl: chainRpcUrl } = sandbox;
    const blind = await runOrders(sandbox.client, { baseUrl, address: other.address });
    const fresh = newLines(3);
    const lines = [...fresh, ...paid];
    const { workflowId } = await blind.steadfast.payout(order, lines);
    await blind.progress(workflowId, isHeld);
    // The count of paid lines has old ones too: a line that went alone needs no node.
    while ((await notPaidOnce(fresh)).length > 0) await sleep(50);
    expect(await notPaidOnce(lines)).toEqual([]);
    await blind.stop();
    const { taskQueue } = blind;
    await serve(sandbox.client, { baseUrl, address: other.address, chainRpcUrl, taskQueue });
    const receipt = await second.client.workflow.getHandle(workflowId).result();
    expect(receipt).toMatchObject({ lines: 15, paid: 15 });
    expect(await notPaidOnce(lines)).toEqual([]);
  });
});

function isHeld({ status, waitingFor }: Progress): boolean {
  return status === 'NeedsOperator' && waitingFor.startsWith('CHAIN_RPC_URL is not set');
}

function isOf(paid: readonly PayoutLine[], { lineId }: PayoutLine): boolean {
  return paid.some((line) => line.lineId === lineId);
}
