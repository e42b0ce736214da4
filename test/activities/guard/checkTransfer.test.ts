import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkTransfer } from '../../../activities/guard/checkTransfer';
import type { Ready } from '../../../activities/guard/resolveOrder';
import type { Paid } from '../../../src/checks/payment';
import { BadOrderError } from '../../../src/orders/input/read';
import { readOrderOf } from '../../../src/orders/kinds';
import { newFolder } from '../../support/jest/setUp';
import { someone } from '../../support/stages';

const folder = newFolder();
const bookPath = join(folder, 'payees.csv');
const ann = someone();
const like = `${ann.slice(0, 6)}${someone().slice(6, 38)}${ann.slice(38)}`;
writeFileSync(bookPath, `name,address\nAnn Berg,${ann}\n`);

const atMs = Date.now() - 3_600_000;
const before: Paid = {
  orderId: 'transfer:a',
  lineId: '1',
  isPayout: false,
  to: ann,
  amount: '5',
  coin: 'native',
  atMs,
};
const archive = {
  async *payments() {
    yield [before];
  },
};

function transferTo(to: string, fields: object = {}): Ready {
  const from = { walletId: '0c3f3d3e-1111-4222-8333-4444aaaa6666' };
  const kind = 'transferStablecoin';
  const order = readOrderOf(kind, { from, to, amount: '5', token: 'USDC', ...fields });
  const wallet = { walletId: from.walletId, address: someone(), accountType: 'EOA' };
  const workflowId = 'transfer:b';
  return { workflowId, kind, order, wallet, blockchain: 'ARC-TESTNET', writes: [] };
}

const settings = { bookPath, archive } as unknown as Parameters<typeof checkTransfer>[1];

test('a strict transfer is refused for what a check finds, with the check and the way out', async () => {
  await expect(checkTransfer(transferTo(like, { strict: true }), settings)).rejects.toThrow(
    /^to: it pays 0x\w+, which was never paid before\. \(newPayee\) to: it pays 0x\w+, which looks like 0x\w+, "Ann Berg"\. Compare every digit\. \(lookAlike\) Correct it, or leave strict out if it is meant\.$/,
  );
  await expect(checkTransfer(transferTo(ann, { strict: true }), settings)).rejects.toThrow(
    BadOrderError,
  );
});

test('a strict transfer without a finding has the checks for its receipt', async () => {
  const checked = await checkTransfer(transferTo(ann, { strict: true, amount: '6' }), settings);
  expect(checked).toMatchObject({ found: [], checks: { payments: 1, found: {} } });
  expect(checked?.checks.book).toMatch(/^[0-9a-f]{64}$/);
});

test('a dry run tells what the checks find, and refuses nothing', async () => {
  const checked = await checkTransfer(transferTo(ann, { dryRun: true }), settings);
  expect(checked?.found).toEqual([
    expect.stringMatching(/^to: it pays 5 USDC to 0x\w+, as in transfer:a, less than a day ago\./),
  ]);
});

test('a transfer of the same euros at another rate is known', async () => {
  const exchange = { amount: '100', currency: 'EUR', rate: '1.08', day: '2026-07-30' };
  const kept = { amount: '100', currency: 'EUR' };
  const paid: Paid = { ...before, amount: '107', exchange: kept };
  const own = {
    bookPath,
    archive: {
      payments: async function* () {
        yield [paid];
      },
    },
  };
  const inEuros = transferTo(ann, { dryRun: true, amount: '108', exchange });
  const checked = await checkTransfer(inEuros, own as unknown as typeof settings);
  expect(checked?.found).toEqual([
    expect.stringMatching(/^to: it pays 108 USDC \(100 EUR\) to 0x\w+, as in transfer:a/),
  ]);
});

test('any other transfer reads no archive', async () => {
  expect(await checkTransfer(transferTo(like), settings)).toBeUndefined();
});

test('a dry run leaves out an archive that is away, and a strict order waits for it', async () => {
  const away = {
    bookPath,
    archive: {
      // biome-ignore lint/correctness/useYield: it fails before its first page.
      async *payments() {
        throw new Error('locked');
      },
    },
  } as unknown as typeof settings;
  const dry = await checkTransfer(transferTo(ann, { dryRun: true }), away);
  expect(dry?.checks.leftOut).toContain('paidBefore');
  await expect(checkTransfer(transferTo(ann, { strict: true }), away)).rejects.toThrow('locked');
});
