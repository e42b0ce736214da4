import { serviceClock } from '../../src/writer/clock';
import { startTestSandbox } from '../support/sandbox';
import { limitOf, transferFrom, writerOf } from './writer';

const date = (ms: number): string => new Date(ms).toUTCString();

const fault = (words: string) => ({ fault: expect.stringContaining(words) });

describe('the clock of a writer', () => {
  it.each([
    [-61_000, 'is 61 s behind'],
    [62_000, 'is 62 s ahead of'],
    [7_200_000, 'is 7200 s ahead of'],
  ])('%i ms off holds calls back', (offMs, words) => {
    const clock = serviceClock(() => 1_000_000_000_000 + offMs);
    clock.heard(date(1_000_000_000_000));
    expect(clock.read()).toEqual(fault(words));
  });

  it('may be a minute off, and then tells the time of the service', () => {
    for (const offMs of [-60_000, 0, 60_000]) {
      const clock = serviceClock(
        () => 1_000_000_000_000 + offMs,
        () => 7,
      );
      clock.heard(date(1_000_000_000_000));
      expect(clock.read()).toEqual({ nowMs: 1_000_000_000_000 });
    }
  });

  it('is unknown when no answer has told it, or none within a minute', () => {
    const at = { wallMs: 1_000_000_000_000, passedMs: 0 };
    const clock = serviceClock(
      () => at.wallMs,
      () => at.passedMs,
    );
    clock.heard('no date');
    expect(clock.read()).toEqual(fault('do not tell its time'));
    clock.heard(date(at.wallMs));
    at.wallMs += 60_000;
    at.passedMs += 60_000;
    expect(clock.read()).toEqual({ nowMs: at.wallMs });
    at.passedMs += 1;
    expect(clock.read()).toEqual(fault('do not tell its time'));
  });

  it('is wrong from the moment of a jump, not from the next answer', () => {
    let offMs = 0;
    const clock = serviceClock(
      () => 1_000_000_000_000 + offMs,
      () => 7,
    );
    clock.heard(date(1_000_000_000_000));
    offMs = 90_000_000;
    expect(clock.read()).toEqual(fault('is 90000 s ahead of'));
    offMs = -7_200_000;
    expect(clock.read()).toEqual(fault('is 7200 s behind'));
  });
});

it('a call with a wrong clock is not sent, and is once the clock is right', async () => {
  const sandbox = await startTestSandbox();
  try {
    const wallet = await sandbox.usedWallet('EOA');
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
