import { MockActivityEnvironment } from '@temporalio/testing';
import { answerActivities } from '../../../activities/answers/tellReceiver';
import type { Message } from '../../../src/client/answers/end';
import { sealFor } from '../../../src/client/answers/sign';

const keys = [Buffer.alloc(32, 1)];
const settings = { url: new URL('https://erp.example.org'), keys, isPrivate: false };
const all = {
  orderId: 'payout:january',
  ends: ['a', 'b', 'c'].map((lineId) => ({
    type: 'line.paid' as const,
    attempt: 0,
    timestamp: '2026-11-28T09:00:00.000Z',
    data: { lineId },
  })),
};
const sealed = { ...all, seal: sealFor(all, keys) };

type Progress = { told: number[]; from: number; silent: number };

/** One try, at a receiver that treats each line in its own way. */
async function attempt(fate: Record<string, number | 'silent'>, heartbeatDetails?: Progress) {
  const sent: string[] = [];
  const send = async ({ body }: Message) => {
    const { lineId }: { lineId: string } = JSON.parse(body).data;
    sent.push(lineId);
    const status = fate[lineId] ?? 204;
    if (status === 204) return { heard: true } as const;
    const isReached = status !== 'silent';
    return { heard: false, isReached, reason: `erp answered ${status}` } as const;
  };
  const environment = new MockActivityEnvironment({ heartbeatDetails });
  let progress = heartbeatDetails;
  environment.on('heartbeat', (told: Progress) => {
    progress = told;
  });
  const { tellReceiver } = answerActivities({ settings, send, close: async () => {} });
  const end = await environment.run(() => tellReceiver(sealed)).catch((error: unknown) => error);
  return { sent, progress, end };
}

test('all ends are told, and each told one is kept as progress', async () => {
  const { sent, progress, end } = await attempt({});
  expect(sent).toEqual(['a', 'b', 'c']);
  expect(progress?.told).toEqual([0, 1, 2]);
  expect(end).toEqual({ told: 3 });
});

test('an end that the receiver refuses stands in no other’s way, and is tried again soon', async () => {
  const first = await attempt({ a: 422 });
  expect(first.sent).toEqual(['a', 'b', 'c']);
  expect(first.end).toMatchObject({
    message: '1 of 3 not told yet: erp answered 422.',
    nonRetryable: false,
    nextRetryDelay: 5_000,
  });
  const second = await attempt({ a: 422 }, first.progress);
  expect(second.sent).toEqual(['a']);
  expect(second.end).toMatchObject({ nextRetryDelay: 5_000 });
});

test('each try in a row that nothing is heard in waits twice as long, up to a quarter of an hour', async () => {
  const away = { a: 'silent', b: 'silent', c: 'silent' } as const;
  const waits: unknown[] = [];
  let progress: Progress | undefined;
  for (let tries = 0; tries < 10; tries += 1) {
    const tried = await attempt(away, progress);
    ({ progress } = tried);
    waits.push(Object.getOwnPropertyDescriptor(tried.end, 'nextRetryDelay')?.value);
  }
  expect(waits.slice(0, 3)).toEqual([5_000, 10_000, 20_000]);
  expect(waits.at(-1)).toBe(900_000);
  const back = await attempt({ b: 422, c: 422 }, progress);
  expect(back.end).toMatchObject({ nextRetryDelay: 5_000 });
});

test('after an end without an answer the rest waits, and the next try begins behind it', async () => {
  const first = await attempt({ b: 'silent' });
  expect(first.sent).toEqual(['a', 'b']);
  const second = await attempt({ b: 'silent' }, first.progress);
  expect(second.sent).toEqual(['c', 'b']);
  const third = await attempt({}, second.progress);
  expect(third).toMatchObject({ sent: ['b'], end: { told: 3 } });
});

test('while the receiver is away, one message asks for all', async () => {
  const away = { a: 'silent', b: 'silent', c: 'silent' } as const;
  expect(await attempt(away)).toMatchObject({
    sent: ['a'],
    progress: { told: [], from: 1, silent: 1 },
  });
});
