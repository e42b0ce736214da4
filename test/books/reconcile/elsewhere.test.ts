import { pad, toEventSelector, toHex } from 'viem';
import type { ChainNode } from '../../../src/books/chain/node';
import { closeDay } from '../../../src/books/reconcile/closeDay';
import { reconcile } from '../../../src/books/reconcile/reconcile';
import { networks } from '../../../src/custody/networks/networks';
import type { Transaction } from '../../../src/custody/objects/transaction';
import { refId } from '../../../src/custody/reference';
import {
  blockWith,
  closing,
  head,
  none,
  opening,
  period,
  quietCustody,
  quietNode,
  wallet,
} from '../../support/books/quietDay';

const blockchain = 'ARC-TESTNET';
const payee = `0x${'2'.repeat(40)}` as const;
const hash = `0x${'ab'.repeat(32)}` as const;
const eurc = networks[blockchain].tokens.find(({ symbol }) => symbol === 'EURC');
const { address: token = '', id: tokenId = '' } = eurc ?? {};
const transfer = toEventSelector('Transfer(address,address,uint256)');

/** A payment of one EURC that the service calls complete. */
function paymentOf(createdMs: number): Transaction {
  const createDate = new Date(createdMs).toISOString();
  const write = { workflowId: 'transfer:1', step: 'transfer', item: '1', generation: 0 };
  const own = { id: 'one', blockchain, state: 'COMPLETE', transactionType: 'OUTBOUND' };
  const paid = { operation: 'TRANSFER', tokenId, amounts: ['1'], destinationAddress: payee };
  const dates = { createDate, updateDate: new Date(period.fromMs + 1_000).toISOString() };
  return { ...own, ...paid, ...dates, sourceAddress: wallet, txHash: hash, refId: refId(write) };
}

/** A node that has mined it in a block that nobody looks for. */
function nodeWith(number: number, timeMs: number, units = 1_000_000): ChainNode {
  const topics = [transfer, pad(wallet), pad(payee)];
  const log = { address: token, topics, data: pad(toHex(units)) };
  const block = blockWith({ hash, from: wallet, to: token, log }, { number, timeMs });
  return {
    ...quietNode,
    blockOf: async (asked) => (asked === hash ? number : undefined),
    blocks: async (numbers) =>
      numbers.map((one) => (one === number ? block : { number: one, timeMs, transactions: [] })),
  };
}

/** The counts of a close of the day. */
async function closed(node: ChainNode, record: Transaction) {
  const asked = { custody: quietCustody([record]), node, blockchain, period, orders: none() };
  const { counts } = await closeDay({ ...asked, day: '2026-01-31', timeZone: 'UTC', closing });
  return counts;
}

describe('a payment that was mined just outside the blocks of a day', () => {
  const { fromMs, untilMs } = period;
  const record = paymentOf(untilMs - 1_000);

  it('is not missing on that day if it was mined after it', async () => {
    expect(await closed(nodeWith(head, untilMs), record)).toMatchObject({ 'missing on chain': 0 });
  });

  it('is in flight while its block is not final', async () => {
    const counts = await closed(nodeWith(head + 9, untilMs), record);
    expect(counts).toMatchObject({ 'missing on chain': 0, 'in flight': 1 });
  });

  it('is not missing where the blocks before the period are not read', async () => {
    const node = nodeWith(opening, fromMs - 1_000);
    const custody = quietCustody([paymentOf(fromMs - 2_000)]);
    const found = reconcile({ custody, node, blockchain, period, orders: none() });
    expect(await found.next()).toMatchObject({ done: true });
  });

  it.each([
    ['moves another amount', nodeWith(head, untilMs, 2_000_000)],
    ['is older than the record', nodeWith(5, untilMs - 30 * 86_400_000)],
  ])('is missing if the transaction %s', async (_, node) => {
    expect(await closed(node, record)).toMatchObject({ 'missing on chain': 1 });
  });
});
