import type { ChainNode } from '../../../src/books/chain/node';
import type { ReconcileRow } from '../../../src/books/reconcile/finding';
import { reconcile } from '../../../src/books/reconcile/reconcile';
import type { Transaction } from '../../../src/custody/objects/transaction';
import { refId } from '../../../src/custody/reference';
import {
  blockWith,
  closing,
  none,
  opening,
  period,
  quietCustody,
  quietNode,
  wallet,
} from '../../support/books/quietDay';

const blockchain = 'ARC-TESTNET';
const token = `0x${'c'.repeat(40)}`;
const hashes = [`0x${'ab'.repeat(32)}`, `0x${'cd'.repeat(32)}`] as const;

/** A generation of one mint to somebody else. The chain shows no movement of ours but its gas. */
function mintOf(generation: 0 | 1, change: Partial<Transaction> = {}): Transaction {
  const write = { workflowId: 'mint:1', step: 'mint', item: '1', generation };
  const date = new Date(period.fromMs + 1_000 + generation).toISOString();
  const own = { id: `one-${generation}`, blockchain, state: 'COMPLETE', createDate: date };
  const called = { operation: 'CONTRACT_EXECUTION', contractAddress: token, sourceAddress: wallet };
  const sent = { transactionType: 'OUTBOUND', updateDate: date, refId: refId(write) };
  return { ...own, ...called, ...sent, txHash: hashes[generation], ...change };
}

/** A node without old states, whose blocks have the gas of both calls. */
function nodeWith(...numbers: readonly number[]): ChainNode {
  const timeMs = period.fromMs;
  const found = numbers.map((number, at) => {
    const sent = { hash: hashes[at] ?? '0x', from: wallet, to: token, gasPrice: '0x7' } as const;
    return blockWith(sent, { number, timeMs });
  });
  return {
    ...quietNode,
    keepsStateOf: async () => false,
    blockOf: async (hash) => numbers[hashes.indexOf(hash as (typeof hashes)[0])],
    blocks: async (asked) =>
      asked.map((number) => {
        const own = found.find((one) => one.number === number);
        return own ?? { number, timeMs, transactions: [] };
      }),
  };
}

async function rowsOf(node: ChainNode, records: readonly Transaction[]): Promise<ReconcileRow[]> {
  const custody = quietCustody(records);
  const rows: ReconcileRow[] = [];
  const asked = { custody, node, blockchain, period, orders: none(), span: { opening, closing } };
  for await (const row of reconcile(asked)) rows.push(row);
  return rows;
}

const twin = 'Transaction one-0 has paid the same before: both are of one write.';

describe('a call that pays nobody', () => {
  it('is told where an earlier transaction has made it', async () => {
    const rows = await rowsOf(nodeWith(closing - 1, closing), [mintOf(0), mintOf(1)]);
    expect(rows.map((row) => row.class)).toEqual(['ours but forgotten', 'paid twice']);
    expect(rows[1]?.why).toContain(twin);
  });

  it('is told where that was made before the blocks that are read', async () => {
    const rows = await rowsOf(nodeWith(opening, closing), [mintOf(0), mintOf(1)]);
    const last = rows.find((row) => row.transactionId === 'one-1');
    expect(last).toMatchObject({ class: 'paid twice', why: expect.stringContaining(twin) });
  });

  it('is no second one where the first was cancelled, and another transaction took its gas', async () => {
    const replaced = { state: 'CANCELLED', txHash: `0x${'ef'.repeat(32)}`, networkFee: '0' };
    const cancelled = mintOf(0, { ...replaced, networkFee: '0.000000000000000007' });
    const rows = await rowsOf(nodeWith(closing - 1, closing), [cancelled, mintOf(1)]);
    expect(rows.map((row) => row.class)).toEqual(['fee without effect', 'ours but forgotten']);
  });
});
