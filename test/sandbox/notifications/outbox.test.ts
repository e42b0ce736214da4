import { randomUUID } from 'node:crypto';
import { createFaults } from '../../../sandbox/faults/faults';
import { createOutbox } from '../../../sandbox/notifications/outbox';
import { tellOfTransactions } from '../../../sandbox/notifications/transactionNotice';
import type { NoticeRow } from '../../../sandbox/store/records/notices';
import type { TransactionRow } from '../../../sandbox/store/records/records';
import { openStore, type Records } from '../../../sandbox/store/store';

const address = '0x1111111111111111111111111111111111111111';
let store: Records;
let row: TransactionRow;
beforeEach(() => {
  store = openStore(undefined);
  const outbox = createOutbox({ store, faults: createFaults(), added: () => {} });
  tellOfTransactions(store, outbox, { blockchain: 'ARC-TESTNET', vocabulary: 'interface' });
  store.subscriptions.insert({
    id: randomUUID(),
    name: '',
    endpoint: 'http://127.0.0.1:1/hook',
    enabled: true,
    notificationTypes: ['transactions.*'],
    createdAtMs: Date.now(),
    updatedAtMs: Date.now(),
  });
  row = {
    id: randomUUID(),
    walletId: randomUUID(),
    stage: 'INITIATED',
    operation: 'TRANSFER',
    sourceAddress: address,
    amounts: ['1'],
    createdAtMs: Date.now(),
    updatedAtMs: Date.now(),
  };
  store.transactions.insert(row);
});
afterEach(() => store.close());

const moment = (notice?: NoticeRow): string => JSON.parse(notice?.body ?? '{}').timestamp;

describe('the outbox', () => {
  it('holds a notice exactly where the change that it tells of is committed', () => {
    const change = () => store.transactions.update(row.id, { stage: 'QUEUED' });
    const undone = () =>
      store.atomically(() => {
        change();
        expect(store.notices.after(0, 10)).toHaveLength(1);
        throw new Error('The disk is full.');
      });
    expect(undone).toThrow('The disk is full.');
    expect(store.notices.after(0, 10)).toEqual([]);
    store.atomically(change);
    expect(store.notices.after(0, 10)).toMatchObject([{ number: 1, status: 'pending' }]);
  });

  it('tells of a new stage alone, in the hosted words', () => {
    store.transactions.update(row.id, { stage: 'CLEARED' });
    store.transactions.update(row.id, { stage: 'QUEUED' });
    store.transactions.update(row.id, { refId: 'till 4' });
    store.transactions.update(row.id, { stage: 'SENT' });
    const states = store.notices.after(0, 10).map(({ body }) => JSON.parse(body).notification);
    expect(states.map(({ state }) => state)).toEqual(['QUEUED', 'SENT']);
  });

  it('lets no notice wait for a clock that was set back', () => {
    const { now } = Date;
    const ahead = jest.spyOn(Date, 'now').mockImplementation(() => now() + 3_600_000);
    store.transactions.update(row.id, { stage: 'QUEUED' });
    ahead.mockRestore();
    store.transactions.update(row.id, { stage: 'SENT' });
    const [first, second] = store.notices.after(0, 10);
    expect(second?.dueAtMs).toBeLessThanOrEqual(Date.now());
    expect(moment(second) > moment(first)).toBe(true);
  });

  it('gives each notice a later moment, however quickly they follow', () => {
    for (let count = 0; count < 500; count += 1) {
      store.transactions.update(row.id, { stage: count % 2 === 0 ? 'QUEUED' : 'SENT' });
    }
    const moments = store.notices.after(0, 1_000).map(moment);
    expect(moments).toHaveLength(500);
    expect(new Set(moments).size).toBe(500);
    expect(moments.toSorted()).toEqual(moments);
  });
});
