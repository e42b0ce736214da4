import { setTimeout as sleep } from 'node:timers/promises';
import { officeOf } from '../authority/office';
import { startDev } from './devStack';

const payee = '0x523b27014BA9331e4a6c1bD7BC3b2b9F3B2BEC7d';

const { keys, ...office } = officeOf('words', ([wallet]) => {
  const limit = {
    id: 'out',
    kind: 'limit',
    orders: ['transferStablecoin'],
    wallets: [wallet?.id],
    tokens: ['USDC'],
    to: payee,
    perTransfer: '10',
    signedBy: 'backends',
  };
  const large = { id: 'large', kind: 'approval', above: '2', of: 'treasurers', within: 48 };
  return { groups: { treasurers: ['ann', 'bo'] }, rules: [limit, { ...large, need: 2 }] };
});
const { backend, ann, bo } = keys;

describe('an approval', () => {
  it('that does not count ends with 1 and says why, and one that counts says how many do (field D 10)', async () => {
    const id = 'transfer:words';
    const [wallet] = office.wallets();
    const started = await office.steadfastWith(backend.sign).start('transferStablecoin', id, {
      from: { walletId: wallet?.id ?? '' },
      to: payee,
      amount: '3',
      token: 'USDC',
    });
    await office.untilAsked(id);
    const approve = (key: string) => office.cli(['approve', id, '--key', key, '--yes']);
    const own = await approve(backend.path);
    expect(own.stdout).toContain('The approval does not count: backend may not decide on it.');
    expect(await approve(ann.path)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('The approval of ann counts: 1 of 2 so far.'),
    });
    // A signature of another second is another one, and Ann is one person.
    await sleep(1_100);
    const twice = await approve(ann.path);
    expect(twice.stdout).toContain('ann has approved it before, and counts once.');
    const no = ['reject', id, '--key', backend.path, '--reason', 'mine', '--yes'];
    const rejected = await office.cli(no);
    expect(rejected.stdout).toContain(
      'The rejection does not count: backend may not decide on it.',
    );
    expect([own, twice, rejected].map(({ code }) => code)).toEqual([1, 1, 1]);
    const { stdout } = await office.cli(['status', id]);
    expect(stdout).toContain('ann has approved transfer/1#0');
    expect(stdout).toContain('Not counted: ann has approved it before, and counts once.');
    expect(await office.paid()).toEqual([]);
    expect(await approve(bo.path)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('The approval counts'),
    });
    await started.receipt();
    expect(await office.paid()).toEqual([3_000_000]);
  });
});

describe('the stack for development', () => {
  it('starts a killed worker and a killed sandbox again, and says so in words (field D 8, 16)', async () => {
    const dev = startDev();
    try {
      await dev.until('Ctrl-C stops everything');
      const second = startDev(dev.folder);
      expect(await second.exited).toBe(2);
      expect(second.said()).toContain('"npm run dev" is running already');
      for (const [part, name] of [
        ['worker', 'The worker'],
        ['sandbox', 'The sandbox'],
      ] as const) {
        const before = dev.pidOf(`steadfast.js ${part}`);
        process.kill(before, 'SIGKILL');
        await dev.until(`! ${name} was killed (SIGKILL). It is started again.`);
        await dev.until(`✓ ${name} is up again.`);
        expect(dev.pidOf(`steadfast.js ${part}`)).not.toBe(before);
      }
      expect(dev.said()).not.toMatch(/"level":|Stopping/);
    } finally {
      await dev.stop();
    }
  });
});
