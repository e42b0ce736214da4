import { setTimeout as sleep } from 'node:timers/promises';
import { spanInWords, withEarlier } from '../../books/chain/period';
import {
  countsInWords,
  noCounts,
  paymentInWords,
  type ReconcileRow,
  troubles,
  troublesIn,
} from '../../books/reconcile/finding';
import { type Covered, type ReconcileAsked, reconcile } from '../../books/reconcile/reconcile';
import { ordersIn } from '../../client/temporal/ordersIn';
import { payoutLines } from '../../client/temporal/payoutLines';
import { counted } from '../../orders/progress/doing';
import type { Call } from '../call';
import { type ExitCode, exitCodes, InputError } from '../exit';
import { serviceFault } from '../reachService';
import { pc } from '../show/colors';
import { readDurationMs } from '../show/tellTime';
import { saveText } from '../textFile';
import { indexOf } from './accountIndex';
import { archiveOf } from './archive';
import { type Books, countdown, openBooks } from './books';

/** Number of rows of each class that a look shows, and that its JSON document has. */
const shownMax = 200;
const watchUsualMs = 60_000;

/** Compares orders, the service's list, the chain and the archive for a period. */
export async function reconcilePeriod(call: Call): Promise<ExitCode> {
  const { flags } = call;
  const everyMs =
    flags.every === undefined ? watchUsualMs : readDurationMs('--every', String(flags.every));
  if (flags.watch !== true) return once(call, openBooks(call), new Set());
  if (flags.to !== undefined) {
    throw new InputError('--to: has no meaning with --watch, which goes on to the newest block.');
  }
  const told = new Set<string>();
  const { stopped } = call.interruption();
  for (;;) {
    const code = await once(call, openBooks(call), told);
    const isOver = await Promise.race([stopped.then(() => true), sleep(everyMs, false)]);
    if (isOver) return code;
  }
}

/** Reconciles once. Rows that were told before are counted, and not told again. */
async function once(call: Call, books: Books, told: Set<string>): Promise<ExitCode> {
  const { flags, voice } = call;
  const index = flags.indexed === true ? await indexOf(call, books) : undefined;
  const { client } = await call.connect();
  const since = withEarlier(books.period);
  const archive = await archiveOf(call, since);
  const progress = countdown(call);
  const asked: ReconcileAsked = {
    ...books,
    index,
    orders: ordersIn(client, since),
    lines: payoutLines(client),
    receipts: archive?.receipts(since),
    earlierReceipts: archive && ((orderId) => archive.receipts({ orderId, untilMs: since.fromMs })),
    onProgress: progress.told,
  };
  const shown = rowsToShow(told, flags.all === true);
  const counts = { ...noCounts };
  let covered: Covered = { opening: 0, closing: 0, wallets: 0, balances: [], notLookedAt: [] };
  async function* rows(): AsyncGenerator<string, void> {
    const found = reconcile(asked);
    for (let next = await found.next(); ; next = await found.next()) {
      if (next.done) {
        covered = next.value;
        return;
      }
      counts[next.value.class] += 1;
      shown.add(next.value);
      yield `${JSON.stringify(next.value)}\n`;
    }
  }
  try {
    await books.places.during(async () => {
      if (typeof flags.out === 'string') await saveText(rows(), flags.out, '--out');
      else for await (const _ of rows());
    });
  } catch (error) {
    throw serviceFault(error, books.host);
  } finally {
    progress.clear();
    await archive?.close();
  }
  const findings = shown.rows;
  for (const row of findings) told.add(JSON.stringify(row));
  const blocks = `${spanInWords(covered)}, ${counted(covered.wallets, 'wallet')}`;
  voice.answer({ ...covered, counts, findings, hasArchive: archive !== undefined }, [
    ...findings.flatMap(tellRow),
    ...tellUnexplained(covered),
    `${blocks}: ${countsInWords(counts)}.`,
    ...(archive === undefined ? [noArchive] : []),
    ...covered.notLookedAt.map((one) => `Not looked at: ${one}.`),
  ]);
  const isSound = troublesIn(counts) === 0 && tellUnexplained(covered).length === 0;
  return isSound ? exitCodes.done : exitCodes.needsOperator;
}

const noArchive = 'STEADFAST_STORE is not set, so receipts and older payments were not compared.';

/** Keeps the first rows of each class that were not told before, so that no class hides another. */
function rowsToShow(told: ReadonlySet<string>, isAll: boolean) {
  const rows: ReconcileRow[] = [];
  const kept = { ...noCounts };
  return {
    rows,
    add: (row: ReconcileRow): void => {
      const { class: own } = row;
      const isFull = kept[own] >= shownMax || (own === 'matched' && !isAll);
      if (isFull || told.has(JSON.stringify(row))) return;
      kept[own] += 1;
      rows.push(row);
    },
  };
}

/** A row as a sentence: its class and the payment. The reason has a line of its own. */
export function tellRow(row: ReconcileRow): string[] {
  const { class: own, why } = row;
  const name = troubles.includes(own) ? pc.red(own) : pc.bold(own);
  return [`${name}: ${paymentInWords(row)}`, ...(why === undefined ? [] : [`    ${why}`])];
}

/** A line for each money whose balances are not what its movements make. */
function tellUnexplained({ balances }: Pick<Covered, 'balances'>): string[] {
  return balances.flatMap(({ token, unexplained, wallet }) => {
    if (unexplained === undefined) return [];
    const much = unexplained.startsWith('-')
      ? `${unexplained.slice(1)} less`
      : `${unexplained} more`;
    const holder = wallet === undefined ? 'The wallets hold' : `${wallet} holds`;
    return [pc.red(`${holder} ${much} of ${token} than movements make.`)];
  });
}
