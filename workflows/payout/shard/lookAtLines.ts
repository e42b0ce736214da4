import { counted } from '../../../src/orders/payout/tally';
import { longReads } from '../../order/custody';
import { troubleDelayMs } from '../../write/delays';
import { faultsOf } from './faults';
import { happened, type Line, linesAt, type Shard } from './shard';
import { trying } from './trying';

/** How an activity looks: it goes through the list again and again until something is final. */
const quickMs = 75;
const usualMs = 1_000;
const patienceMs = 8_000;

/** Where so many were sent within a moment, those before them are about to end, one after another. */
const manySent = 30;
const momentMs = 3_000;

/** After so many looks in vain, a minute or so, they come ever more slowly. */
const patientLooks = 6;
const slowestMs = 300_000;

/** As many digits of an id as the watcher tells transactions apart by. */
const endDigits = 8;

/**
 * Looks at all that the service has taken and that is not final, with one list for all wallets.
 * Returns when it is worth to be called again, besides after an answer.
 */
export function lookAtLines(shard: Shard): number {
  const sent = linesAt(shard, 'accepted').filter(({ state }) => state.record === undefined);
  if (sent.length === 0 || shard.isLooking) return Number.POSITIVE_INFINITY;
  if (Date.now() < shard.nextLookMs) return shard.nextLookMs;
  shard.isLooking = true;
  void look(shard, sent);
  return Number.POSITIVE_INFINITY;
}

async function look(shard: Shard, sent: readonly Line[]): Promise<void> {
  const byId = new Map(sent.map((line) => [line.state.transactionId, line]));
  const isQuick = isFlowing(shard) || isWaitedFor(shard, sent);
  const records = await trying(shard, () =>
    longReads(`look at ${counted(sent.length, 'line')}`).watchLines({
      walletIds: [...new Set(sent.map(({ wallet }) => wallet.walletId))],
      ends: sent.map(({ state }) => state.transactionId?.slice(-endDigits) ?? '').join(''),
      everyMs: isQuick ? quickMs : usualMs,
      patienceMs,
    }),
  );
  let ended = 0;
  for (const record of records ?? []) {
    const line = byId.get(record.id);
    const faults = line && (await faultsOf(shard, line, record));
    if (line === undefined || faults === undefined) continue;
    happened(shard, line, { kind: 'record', record, faults });
    ended += 1;
  }
  shard.emptyLooks = ended > 0 ? 0 : shard.emptyLooks + 1;
  shard.nextLookMs = Date.now() + delayMs(shard.emptyLooks, records === undefined);
  shard.isLooking = false;
  shard.woken = true;
}

/** Whether many were sent just now, as they are where the service is quick. */
function isFlowing(shard: Shard): boolean {
  const sinceMs = Date.now() - momentMs;
  const fresh = shard.carried.states.filter(({ bornAtMs = 0 }) => bornAtMs > sinceMs);
  return fresh.length >= manySent;
}

/** Whether lines of smart accounts wait for one before them. */
function isWaitedFor(shard: Shard, sent: readonly Line[]): boolean {
  const waiting = new Set(linesAt(shard, 'unseen', 'ready').map(({ line }) => line.wallet));
  return sent.some(({ line, wallet }) => wallet.accountType === 'SCA' && waiting.has(line.wallet));
}

function delayMs(emptyLooks: number, isTroubled: boolean): number {
  if (isTroubled) return troubleDelayMs(emptyLooks);
  if (emptyLooks <= patientLooks) return 0;
  return Math.min(troubleDelayMs(emptyLooks - patientLooks) * 5, slowestMs);
}
