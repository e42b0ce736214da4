import { serviceClock } from '../../src/policy/clock';
import { createUsedWallet, startTestSandbox } from '../support/sandbox';
import { limitOf, transferFrom, writerOf } from './writer';

const date = (ms: number): string => new Date(ms).toUTCString();

describe('the clock of a writer', () => {
  it.each([
    [-61_000, 'is 61 s behind'],
    [62_000, 'is 62 s ahead of'],
    [7_200_000, 'is 7200 s ahead of'],
  ])('%i ms off holds calls back', (offMs, words) => {
    const clock = serviceClock(() => 1_000_000_000_000 + offMs);
    clock.heard(date(1_000_000_000_000));
    expect(clock.fault()).toContain(words);
  });

  it('may be a minute off', () => {
    for (const offMs of [-60_000, 0, 59_000]) {
      const clock = serviceClock(() => 1_000_000_000_000 + offMs);
      clock.heard(date(1_000_000_000_000));
      expect(clock.fault()).toBeUndefined();
    }
  });

  it('is asked for again when the last date is an hour old, or there was none', () => {
    let passedMs = 0;
    const clock = serviceClock(Date.now, () => passedMs);
    clock.heard('no date');
    expect(clock.isUnknown()).toBe(true);
    clock.heard(date(Date.now()));
    expect(clock.isUnknown()).toBe(false);
    passedMs = 3_600_001;
    expect(clock.isUnknown()).toBe(true);
  });
});

it('a call with a wrong clock is not sent, and is once the clock is right', async () => {
  const sandbox = await startTestSandbox();
  try {
    const wallet = await createUsedWallet(sandbox.client, 'EOA');
    let offMs = 120_000;
    const clock = serviceClock(() => Date.now() + offMs);
    clock.heard(date(Date.now()));
    const { api } = writerOf(sandbox.client, [limitOf(wallet)], { clock });
    const { input, how } = transferFrom(wallet, '1');
    const held = { next: 'again', message: expect.stringContaining('ahead of the service') };
    await expect(api.createTransfer(input, how)).rejects.toMatchObject(held);
    offMs = 0;
    clock.heard(date(Date.now()));
    expect((await api.createTransfer(input, how)).id).toBeDefined();
  } finally {
    await sandbox.stop();
  }
});
