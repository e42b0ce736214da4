import type { TransactionRow } from '../store/records/records';
import type { Store } from '../store/store';
import { stageAfter } from './lifecycle';
import type { TurnSchedule } from './schedule';
import { screen } from './screening';
import { move } from './stage';

/** Counts what was signed after now as signed now: the clock was set back since. */
export function signNow(store: Store): void {
  const nowMs = Date.now();
  for (const status of ['pending', 'underpriced'] as const) {
    for (const { id } of store.broadcasts.sentAfter(status, nowMs)) {
      store.broadcasts.update(id, { sentAtMs: nowMs });
    }
  }
}

/** Moves on what has been in a stage for long enough, as far as nothing has to be signed for it. */
export function moveDue(store: Store, schedule: TurnSchedule): void {
  const due = (stage: 'INITIATED' | 'CLEARED' | 'CONFIRMED'): TransactionRow[] =>
    store.transactions.accepted(stage, schedule.accepted(stage));
  // One after the other, since what has settled at once goes through all of them.
  store.atomically(() => {
    for (const row of due('INITIATED')) screenRow(store, row);
    for (const row of due('CLEARED')) move(store, row, { event: 'queued' });
    for (const row of due('CONFIRMED')) move(store, row, { event: 'settled' });
  });
}

/** Lets a transaction through, or denies it. A rule may freeze the wallet with that. */
function screenRow(store: Store, row: TransactionRow): void {
  const screening = screen(row);
  if (screening === undefined) {
    move(store, row, { event: 'screened' });
    return;
  }
  const isDenied = screening.actions.includes('DENY');
  const event = isDenied ? 'denied' : 'screened';
  const { updatedAtMs } = move(store, row, { event, screening });
  if (screening.actions.includes('FREEZE_WALLET')) {
    store.wallets.update(row.walletId, { frozen: true, updatedAtMs });
  }
}

/** SENT to STUCK, once a block has passed that did not include it. */
export function noticeStuck(store: Store, { nowMs, blockMs }: TurnSchedule): void {
  const unnoticed = store.broadcasts.sentBy('underpriced', nowMs - blockMs);
  if (unnoticed.length === 0) return;
  store.atomically(() => {
    for (const { id, transactionId } of unnoticed) {
      store.broadcasts.update(id, { status: 'stuck' });
      const row = store.transactions.get(transactionId ?? '');
      if (row && stageAfter(row.stage, 'stuck')) move(store, row, { event: 'stuck' });
    }
  });
}
