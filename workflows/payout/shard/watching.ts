import { finalState } from '../../../src/custody/objects/state';
import { counted } from '../../../src/orders/progress/doing';
import type { IndexedRecord } from '../../../src/store/index/records';
import { longReads, reads } from '../../order/activities';
import { troubleDelayMs } from '../../write/machine/delays';
import { type WriteState, wishOf } from '../../write/machine/writeState';
import { faultsBy, learnToken, type ServiceToken, strangeToken } from '../../write/token';
import { lineCount, type Payment, stepOf } from './payments';
import { callFor, readForShard } from './reading';
import type { Shard } from './shard';

/**
 * Many lines that were sent within a moment settle one after another, so the shard polls quickly.
 * It also does so for smart accounts, whose lines wait for the one before, and once for the last
 * lines.
 */
const manySent = 30;
const momentMs = 3_000;
const quickMs = 75;
const usualMs = 1_000;
const patienceMs = 8_000;

/** Batches that settle within this time are seen by one poll, and their receipts read together. */
const gatherMs = 3_000;

/** After so many polls in vain, a minute or so, they come ever more slowly. */
const patientLooks = 6;
const slowestMs = 300_000;

/** Polls all accepted transactions that are not final, with one list for all wallets. */
export function pollLines(shard: Shard): number {
  const { nextLookMs } = shard;
  return callFor(shard, {
    want: 'watch',
    atMs: (state) => {
      // The list shows a final word at once. It is read again when it is due.
      if (state.final !== undefined) return wishOf(state).atMs;
      return state.stage === 'accepted' ? nextLookMs : Math.max(wishOf(state).atMs, nextLookMs);
    },
    call: (due) => poll(shard, due),
  });
}

/** True for a batch that holds up no other one. A smart account has one under way at a time. */
function isSettlingTogether({ step, wallet }: Payment): boolean {
  return step !== 'line' && wallet.accountType !== 'SCA';
}

async function poll(shard: Shard, due: readonly Payment[]): Promise<void> {
  const byId = new Map(due.map((one) => [shard.writes.stateOf(one).transactionId ?? '', one]));
  const freshFromMs = Date.now() - momentMs;
  const fresh = shard.lines.filter(
    (line) => (shard.writes.stateOf(line).bornAtMs ?? 0) > freshFromMs,
  );
  const isLast = shard.payments.at('ready', 'sending').length === 0 && shard.emptyLooks === 0;
  const isQuick =
    fresh.length >= manySent || isLast || due.some(({ wallet }) => wallet.accountType === 'SCA');
  const heard = [...byId].flatMap(([id, one]) => {
    const { final, sinceMs } = shard.writes.stateOf(one);
    return final !== undefined || sinceMs !== undefined ? id : [];
  });
  const answer = await readForShard(shard, () =>
    longReads(`look at ${counted(sum(due), 'line')}`).watchLines({
      walletIds: [...new Set(due.map(({ wallet }) => wallet.walletId))],
      ids: [...byId.keys()],
      ...(heard.length > 0 && { heard }),
      everyMs: isQuick ? quickMs : usualMs,
      patienceMs,
      ...(due.every(isSettlingTogether) && { gatherMs }),
      ...(shard.emptyLooks >= patientLooks && { overdue: waitingInLine(due) }),
    }),
  );
  const { final = [], withdrawn = [], missing = [], unread = [], inFront } = answer ?? {};
  const tokens = new Map<string, ServiceToken | undefined>();
  for (const record of [...final, ...withdrawn]) {
    const payment = byId.get(record.id);
    if (payment === undefined || isOlder(record, shard.writes.stateOf(payment))) continue;
    const read = { step: stepOf(shard, payment), record };
    const id = strangeToken(read);
    // A promise for each of hundreds of records would cost more than all else.
    if (id !== undefined && !tokens.has(id)) tokens.set(id, await learn(shard, id));
    const token = id === undefined ? undefined : tokens.get(id);
    // A token that cannot be read now is read at the next poll.
    if (id !== undefined && token === undefined) continue;
    const faults = faultsBy(shard.opened, { ...read, token });
    shard.writes.hear(payment, { kind: 'record', record, faults });
  }
  for (const [id, line] of byId) {
    if (missing.includes(id)) shard.writes.hear(line, { kind: 'lost' });
  }
  for (const { id, why, ofRecord } of unread) {
    const payment = byId.get(id);
    const fault = ofRecord ? why : undefined;
    if (payment !== undefined) shard.writes.hear(payment, { kind: 'unread', fault });
    // A line whose record cannot be read holds up no other one.
    shard.trouble = { type: 'Again', message: why, facts: { ambiguous: false } };
  }
  if (inFront !== undefined) {
    const message = `Lines wait behind ${inFront}.`;
    shard.trouble = { type: 'Again', message, facts: { ambiguous: false } };
  }
  shard.emptyLooks = final.length > 0 ? 0 : shard.emptyLooks + 1;
  const delayMs = answer === undefined ? troubleDelayMs(shard.emptyLooks) : patient(shard);
  shard.nextLookMs = Date.now() + delayMs;
}

/** The wallets that send one transaction after another by themselves. */
function waitingInLine(due: readonly Payment[]): string[] {
  const wallets = due.flatMap(({ wallet }) =>
    wallet.accountType === 'SCA' ? [] : wallet.walletId,
  );
  return [...new Set(wallets)];
}

/** True for an older copy of a record whose final word was heard. */
function isOlder({ state, updateDate }: IndexedRecord, { record }: WriteState): boolean {
  const [now, heard] = [updateDate, record?.updateDate].map((date) => Date.parse(date ?? ''));
  return finalState(state) === undefined && Number(now) < Number(heard);
}

function sum(payments: readonly Payment[]): number {
  return payments.reduce((lines, one) => lines + lineCount(one), 0);
}

function patient({ emptyLooks }: Shard): number {
  if (emptyLooks <= patientLooks) return 0;
  return Math.min(troubleDelayMs(emptyLooks - patientLooks) * 5, slowestMs);
}

async function learn(shard: Shard, tokenId: string): Promise<ServiceToken | undefined> {
  const { readToken } = reads('which token is it');
  return readForShard(shard, () => learnToken(shard, tokenId, readToken));
}
