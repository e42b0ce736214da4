import { randomUUID } from 'node:crypto';
import { NotSentError, RefusedError } from '../../../src/custody/errors';
import type { Moment, Progress } from '../../../src/orders/progress/status';
import { detailsOf, noteFault } from '../../../workflows/order/show';
import { createServe } from '../../support/orders';
import {
  transferOrder as order,
  scriptedCustody,
  transferRecord,
} from '../../support/service/scriptedCustody';

const serve = createServe();
const away = new NotSentError('POST /developer/transactions/transfer was not sent: no route.');
const unauthorised = new RefusedError('401: key not found', { status: 401, code: 156007 });
const { id: transactionId } = transferRecord();

const told = ({ kind, words }: Moment): string => `${kind}: ${words}`;

describe('the timeline of an order', () => {
  test.concurrent('has its steps, its controls, and the reasons of its waits', async () => {
    const answers = [away, away, unauthorised];
    const custody = scriptedCustody({
      createTransfer: (_, call) => answers[call - 1] ?? { id: transactionId, state: 'INITIATED' },
    });
    const { steadfast, progress } = await serve(custody);
    const id = `transfer:${randomUUID()}`;
    const started = await steadfast.start('transferStablecoin', id, order);
    await progress(id, ({ status }) => status === 'NeedsOperator');
    await steadfast.pause(id, 'they called');
    await steadfast.resume(id);
    await started.receipt();
    const { timeline } = await progress(id, ({ status }) => status === 'Done');
    expect(timeline.map(told)).toEqual([
      expect.stringMatching(/^trouble: POST .* was not sent: no route/),
      expect.stringMatching(/^trouble: 401: key not found/),
      'asked: paused: they called',
      'asked: resumed',
      `done: transfer of 5 USDC to ${order.to}: accepted as ${transactionId}`,
      `done: transfer of 5 USDC to ${order.to}: settled in 0xabc`,
    ]);
    expect(timeline[0]?.again?.times).toBe(2);
    const times = timeline.map(({ at }) => new Date(at).toISOString());
    expect(times).toEqual([...times].sort());
  });

  it('is shown in Temporal UI with times as people write them', () => {
    const again = { times: 3, last: '2026-11-22T14:09:59.000Z' };
    const details = detailsOf({
      status: 'Waiting',
      timeline: [{ kind: 'trouble', words: 'no route', at: '2026-11-22T14:03:07.123Z', again }],
      waitingFor: '0x12 to hold 10 USDC',
      since: '2026-11-22T14:03:07.123Z',
    });
    expect(details).toBe(
      '**Waiting** since 2026-11-22 14:03 UTC\n\nWaiting for: 0x12 to hold 10 USDC\n\n' +
        '- 2026-11-22 14:03 UTC no route (3 times, last 2026-11-22 14:09 UTC)',
    );
  });

  it('counts repeated trouble, and keeps the first and the last entries', () => {
    const progress: Progress = {
      status: 'Preparing',
      timeline: [{ kind: 'done', words: 'a step', at: '2026-01-01T00:00:00.000Z' }],
      waitingFor: 'anything',
      since: '2026-01-01T00:00:00.000Z',
    };
    for (let number = 1; number <= 1_000; number++) {
      for (let times = 1; times <= 3; times++) noteFault({ progress }, `trouble ${number}`);
    }
    const [step, ...troubles] = progress.timeline;
    expect(step?.words).toBe('a step');
    expect(troubles).toHaveLength(24);
    expect(troubles.map(({ words }) => words).filter((_, n) => n < 2 || n > 21)).toEqual([
      'trouble 1',
      'trouble 2',
      'trouble 999',
      'trouble 1000',
    ]);
    expect(troubles.map(({ again }) => again?.times)).toEqual(troubles.map(() => 3));
  });
});
