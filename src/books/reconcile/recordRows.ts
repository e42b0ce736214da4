import type { KnownOrder } from '../../orders/progress/knownOrder';
import type { ChainNode } from '../chain/node';
import type { WatchedWallets } from '../movement';
import { classifyPayments, type ReconcileScope, unrecorded } from './classify';
import { type ShownPayment, toldOf } from './differences';
import { lookingElsewhere } from './elsewhere';
import { compare, type Expecting } from './expected';
import type { ReconcileRow } from './finding';
import type { LinesOfMarks } from './paid/lines';
import {
  type ChainPayment,
  gasOfEffect,
  paymentsOfRecord,
  unrecordedPayments,
} from './paid/payments';
import type { Twins } from './paid/twins';
import type { Tables } from './tables';

type Judging = {
  tables: Tables;
  node: ChainNode;
  watched: WatchedWallets;
  scope: ReconcileScope;
  expectedOf: Expecting;
  twins: Twins;
  lines: LinesOfMarks;
  hasArchive: boolean;
};

/** A row for each transaction of the service's list, or several where it has several payments. */
export async function* recordRows(judging: Judging): AsyncGenerator<ReconcileRow> {
  const { tables, scope, expectedOf, hasArchive } = judging;
  const { span, monies, earlier: from = span.opening } = scope;
  const lookElsewhere = lookingElsewhere({ ...judging, monies, from, closing: span.closing });
  for (const record of tables.records()) {
    const { id } = record;
    const order = tables.orderOf(record);
    const moved = tables.movementsOf(id);
    const receipts = tables.receiptsOf(id);
    const payments = paymentsOfRecord(tables, { record, moved, receipts });
    const paid = payments.map((payment) => paidOf(payment, judging, order));
    const expected = await expectedOf(record);
    const effects = paid.map(({ effect }) => effect);
    const comparison = expected ? compare(expected, effects) : { missing: [], strange: [] };
    const gas = record.operation === 'TRANSFER' ? undefined : gasOfEffect(moved);
    const call = gas && { effect: gas, record, receipt: receipts[0], failure: undefined };
    const twice = call && judging.twins.reasonOf(call);
    const known = { record, moved, paid, receipts, expected, comparison, order, hasArchive, twice };
    yield* await lookElsewhere(known, classifyPayments(known, scope));
  }
  for (const payment of unrecordedPayments(tables)) {
    if (payment.effect.block <= span.opening || payment.effect.kind === 'sponsored') continue;
    yield unrecorded(paidOf(payment, judging, undefined));
  }
  yield* aloneRows(judging);
}

/** A payment that the chain shows, with the words of all sources about it. */
function paidOf(
  payment: ChainPayment,
  { twins, lines }: Judging,
  order: KnownOrder | undefined,
): ShownPayment {
  const { effect, receipt, failure } = payment;
  if (effect.kind !== 'transfer') return { effect, receipt, twice: undefined, failed: undefined };
  const [unpaidAs] = twins.writesOf(payment).flatMap((key) => lines.unpaidAs(key) ?? []);
  const ended = order?.endedAs;
  const failed = failure
    ? `Its receipt shows that ${inWords(effect)} failed.`
    : unpaidAs
      ? `Temporal shows that its line has ended as ${unpaidAs}.`
      : ended && `Temporal shows that its order has ended as ${ended}.`;
  return { effect, receipt, twice: twins.reasonOf(payment), failed };
}

function inWords(effect: ChainPayment['effect']): string {
  const { amount = '', token = '', counterparty = '' } = toldOf(effect);
  return `${amount} ${token} to ${counterparty}`;
}

/** Receipts of transactions that the service does not have, up to the last block that was read. */
async function* aloneRows({ tables, node, scope }: Judging): AsyncGenerator<ReconcileRow> {
  const { period, span } = scope;
  for (const receipt of tables.receiptsAlone()) {
    const { order, transactionId, chain, step, item, time, outcome } = receipt;
    const timeMs = Date.parse(time);
    if (timeMs < period.fromMs || timeMs >= period.untilMs || outcome !== 'completed') continue;
    // Archive and list are read later than the head. A later reading has what has settled since.
    const block = chain.txHash === undefined ? undefined : await node.blockOf(chain.txHash);
    if (block !== undefined && block > span.closing) continue;
    const why = 'The archive has a receipt of it, and the service has no record.';
    yield {
      class: 'missing here',
      why,
      order: order.id,
      ...(step === 'line' ? { line: item } : {}),
      transactionId,
      ...(chain.txHash === undefined ? {} : { txHash: chain.txHash }),
    };
  }
}
