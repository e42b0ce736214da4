import { randomUUID } from 'node:crypto';
import { createRateLimit } from '../../../sandbox/http/rateLimit';
import type { RateClass } from '../../../src/custody/endpoints';
import { inSandbox } from '../../support/sandbox';

describe('a sliding second', () => {
  it.each([
    ['reads', 20],
    ['writes', 5],
    ['frequentWrites', 10],
  ] as const)('holds at most so many %s: %d', (rate, most) => {
    const { take } = limiter();
    const taken = Array.from({ length: most + 3 }, () => take(rate));
    expect(taken).toEqual([...Array(most).fill(true), ...Array(3).fill(false)]);
  });

  it('has room again once a second has passed since a call was accepted, whatever was refused', () => {
    const { take, clock } = limiter();
    for (const atMs of [0, 100, 200, 300, 400]) {
      clock.nowMs = atMs;
      expect(take('writes')).toBe(true);
    }
    for (const atMs of [500, 600, 999]) {
      clock.nowMs = atMs;
      expect(take('writes')).toBe(false);
    }
    clock.nowMs = 1_000;
    expect([take('writes'), take('writes')]).toEqual([true, false]);
    clock.nowMs = 1_100;
    expect([take('writes'), take('writes')]).toEqual([true, false]);
  });

  it('of one class has nothing to do with that of another', () => {
    const { take } = limiter();
    const writes = Array.from({ length: 6 }, () => take('writes'));
    expect([writes.at(-1), take('reads'), take('frequentWrites')]).toEqual([false, true, true]);
  });

  it('has room for everything while the limit is off', () => {
    const { take } = limiter('off');
    expect(Array.from({ length: 100 }, () => take('writes'))).toEqual(Array(100).fill(true));
  });
});

describe('a sandbox with the hosted limits', () => {
  const sandbox = inSandbox({ rateLimit: 'hosted' });

  it('answers what is too much with 429, before it looks at what was sent', async () => {
    const answers = await Promise.all(
      Array.from({ length: 40 }, () =>
        sandbox.request('POST', 'developer/walletSets', { body: '{"idempotencyKey":' }),
      ),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([400, 429]));
    const [refused] = answers.filter(({ status }) => status === 429);
    expect(refused?.body).toEqual({ code: 429, message: 'Too many requests.' });
    expect(refused?.headers.has('retry-after')).toBe(false);
  });

  it('does not count those who have no key', async () => {
    const url = `transactions/${randomUUID()}`;
    const strangers = await Promise.all(
      Array.from({ length: 40 }, () => sandbox.request('GET', url, { headers: {} })),
    );
    expect(new Set(strangers.map(({ status }) => status))).toEqual(new Set([401]));
    expect((await sandbox.request('GET', url)).status).toBe(404);
  });
});

function limiter(rateLimit: 'hosted' | 'off' = 'hosted') {
  const clock = { nowMs: 0 };
  const limit = createRateLimit({ rateLimit }, () => clock.nowMs);
  const take = (rate: RateClass): boolean => {
    try {
      limit(rate);
      return true;
    } catch {
      return false;
    }
  };
  return { clock, take };
}
