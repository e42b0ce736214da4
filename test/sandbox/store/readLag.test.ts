import { randomUUID } from 'node:crypto';
import { firstSettings } from '../../../sandbox/config/settings';
import { createReads } from '../../../sandbox/store/readLag';
import type { TransactionRow } from '../../../sandbox/store/records/records';
import { openStore } from '../../../sandbox/store/store';

const minuteMs = 60_000;

describe('reads that lag behind', () => {
  it('do not show what was made meanwhile', () => {
    const { store, reads, settings } = start();
    const old = insert(store, { ageMs: 2 * minuteMs });
    const young = insert(store, { ageMs: minuteMs / 2 });
    settings.readLagMs = minuteMs;
    expect(reads.transactions.get(young.id)).toBeUndefined();
    expect(reads.transactions.list()).toEqual([old]);
    settings.readLagMs = 0;
    expect(reads.transactions.get(young.id)).toEqual(young);
    expect(reads.transactions.list()).toEqual([young, old]);
  });

  it('show what was changed meanwhile as it was, also to filters', () => {
    const { store, reads, settings } = start();
    const row = insert(store, { ageMs: 2 * minuteMs });
    const other = insert(store, { ageMs: 2 * minuteMs });
    settings.readLagMs = minuteMs;
    store.transactions.update(row.id, { stage: 'CLEARED' });
    const now = store.transactions.update(row.id, { stage: 'QUEUED' });
    expect(reads.transactions.get(row.id)).toEqual(row);
    expect(reads.transactions.list({ filters: { stage: 'INITIATED' } })).toEqual([other, row]);
    expect(reads.transactions.list({ filters: { stage: 'QUEUED' } })).toEqual([]);
    expect(reads.transactions.list({ order: 'ASC', limit: 1 })).toEqual([row]);
    expect(reads.transactions.list({ after: other.id })).toEqual([row]);
    settings.readLagMs = 0;
    expect(reads.transactions.list({ filters: { stage: 'QUEUED' } })).toEqual([now]);
  });

  it('show each change when its time has come', () => {
    const { store, reads, settings } = start();
    const row = insert(store, { ageMs: minuteMs });
    settings.readLagMs = 100;
    const clock = jest.spyOn(Date, 'now');
    const startMs = row.createdAtMs + minuteMs;
    const stageAt = (ms: number) => {
      clock.mockReturnValue(startMs + ms);
      return reads.transactions.get(row.id)?.stage;
    };
    clock.mockReturnValue(startMs);
    store.transactions.update(row.id, { stage: 'CLEARED' });
    clock.mockReturnValue(startMs + 10);
    store.transactions.update(row.id, { stage: 'QUEUED' });
    const shown = [10, 99, 100, 109, 110].map(stageAt);
    clock.mockRestore();
    expect(shown).toEqual(['INITIATED', 'INITIATED', 'CLEARED', 'CLEARED', 'QUEUED']);
  });

  it('show every record once, page by page', () => {
    const { store, reads, settings } = start();
    const rows = Array.from({ length: 20 }, () => insert(store, { ageMs: 2 * minuteMs }));
    settings.readLagMs = minuteMs;
    for (const { id } of rows.slice(5, 15)) store.transactions.update(id, { stage: 'SENT' });
    const seen: TransactionRow[] = [];
    for (;;) {
      const filters = { stage: 'INITIATED' };
      const after = seen.at(-1)?.id;
      const page = reads.transactions.list({ filters, after, limit: 3, order: 'ASC' });
      seen.push(...page);
      if (page.length === 0) break;
    }
    expect(seen).toEqual(rows);
  });
});

function start() {
  const store = openStore(undefined);
  const settings = firstSettings({ settleMs: 0, rateLimit: 'off', host: '127.0.0.1' });
  return { store, settings, reads: createReads(store, settings) };
}

function insert(store: ReturnType<typeof openStore>, { ageMs }: { ageMs: number }): TransactionRow {
  const createdAtMs = Date.now() - ageMs;
  const row: TransactionRow = {
    id: randomUUID(),
    walletId: randomUUID(),
    stage: 'INITIATED',
    createdAtMs,
    updatedAtMs: createdAtMs,
    call: { to: '0x', value: '0', data: '0x' },
    operation: 'TRANSFER',
    sourceAddress: '0x',
    feeLevel: 'LOW',
    refId: '',
    amounts: [],
  };
  store.transactions.insert(row);
  return row;
}
