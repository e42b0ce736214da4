import type { Attempted } from '../../../activities/together';
import type { Accepted } from '../../../activities/transactions';
import { counted } from '../../../src/orders/progress/doing';
import { sendsTogether, stopIn, stopOf } from '../../order/activities';
import { transferInput } from '../../steps/transfer';
import { nowOf } from '../../write/calling';
import { accept, begins, holdUp, whileBusy } from './attempts';
import type { Line, Payment } from './payments';
import type { Shard } from './shard';

/** Lines in one activity. All wait for the slowest answer, so they are few. */
const togetherMax = 25;

/** After an activity was held to one call, each call has its own activity for this long. */
const apartMs = 60_000;

/**
 * True while each line needs an activity of its own: where a pace, a reserve or a limit holds calls
 * apart.
 */
export function areApart(shard: Shard): boolean {
  const { carried, opened, apartUntilMs } = shard;
  const { reservePerWallet } = opened.order;
  const isPaced = carried.steer.linesPerS !== null || reservePerWallet !== undefined;
  return isPaced || apartUntilMs > nowOf(shard);
}

/**
 * Puts together the lines that one activity may send. A smart account has one transaction at a
 * time, and a batch asks for its gas first, so that these go alone.
 */
export function inGroups(shard: Shard, payments: readonly Payment[]): Payment[][] {
  const lines = areApart(shard) ? [] : payments.filter(isAlike);
  const alone = payments.filter((one) => !lines.some((line) => line === one));
  const count = Math.ceil(lines.length / togetherMax);
  const size = Math.ceil(lines.length / count);
  const groups = Array.from({ length: count }, (_, at) => lines.slice(at * size, (at + 1) * size));
  return [...alone.map((one) => [one]), ...groups];
}

function isAlike(one: Payment): one is Line {
  return one.step === 'line' && one.wallet.accountType !== 'SCA';
}

/** One attempt at each of some lines, in one activity. Each has an outcome of its own. */
export async function sendTogether(shard: Shard, lines: readonly Payment[]): Promise<void> {
  const begun = lines.filter(isAlike).filter((line) => begins(shard, line));
  if (begun.length === 0) return;
  await whileBusy(shard, async () => {
    try {
      const { feeLevel } = shard.opened.order;
      const attempts = await sendsTogether(
        `request ${counted(begun.length, 'line')}`,
      ).createTransfers(
        begun.map((line) => ({
          ...shard.writes.identityOf(line),
          input: transferInput(shard, { ...line, from: line.wallet, feeLevel }),
        })),
      );
      for (const [at, line] of begun.entries()) take(shard, line, attempts[at]);
    } catch (error) {
      const stop = stopOf(error);
      if (stop === undefined) throw error;
      // Nobody knows how far it came, so that each of its lines may have arrived.
      for (const line of begun) holdUp(shard, line, stop);
    }
  });
}

function take(shard: Shard, line: Line, attempted: Attempted<Accepted> | undefined): void {
  if (attempted?.kind === 'accepted') accept(shard, line, attempted.accepted);
  else if (attempted?.kind === 'left') leave(shard, line);
  else holdUp(shard, line, stopIn(attempted?.failure ?? untold));
}

const untold = { message: 'its activity did not tell what came of it', details: undefined };

/** A line that was not begun is sent at once, by an activity of its own. */
function leave(shard: Shard, line: Line): void {
  const why = 'It waits for its turn.';
  shard.writes.hear(line, { kind: 'answered', answer: { kind: 'Again', why, isAmbiguous: false } });
  shard.writes.apply(line, { kind: 'hurry' });
  shard.apartUntilMs = Date.now() + apartMs;
}
