import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { times } from '../../support/lane';
import { someone } from '../../support/stages';
import { officeOf } from './office';

const suppliers = Array.from({ length: 4 }, () => someone());
/** The sandbox's screening has somebody look at this address. */
const gambler = `0x${'1'.repeat(28)}999999997766`;

/** The policy in force: who may be paid, and who approves. */
type Change = { to: string[]; treasurers: string[] };
const { keys, folder, ...office } = officeOf<Change>(
  'signed-payouts',
  (wallets, { to = [...suppliers, gambler], treasurers = ['ann', 'bo'] }) => {
    const limit = {
      id: 'out',
      kind: 'limit',
      orders: ['payout'],
      wallets: wallets.map(({ id }) => id),
      tokens: ['USDC'],
      to,
      perTransfer: '1',
      signedBy: 'backends',
    };
    const tier = { id: 'large', kind: 'approval', above: '0.001', of: 'treasurers', within: 48 };
    const screen = { id: 'risk', kind: 'screen', by: 'service', beyond: 'large' };
    return { groups: { treasurers }, rules: [limit, { ...tier, need: 2 }, screen] };
  },
);
const { backend, ann, bo, cy } = keys;
const { steadfastWith, untilAsked, approve, approveOffline, restartWith, paid } = office;

let amounts = 0;

/** Lines to suppliers in turn. No two lines of this file have the same amount. */
function linesTo(to: readonly string[], count: number) {
  return Array.from({ length: count }, (_, at) => {
    amounts += 1;
    const amount = `0.00${String(amounts).padStart(4, '0')}`.replace(/0+$/, '');
    return { lineId: `line-${at}`, to: to[at % to.length] ?? '', amount, token: 'USDC' };
  });
}

const unitsOf = (lines: readonly { amount: string }[]): number[] =>
  lines.map(({ amount }) => Math.round(Number(amount) * 1e6));

const ascending = (numbers: readonly number[]): number[] =>
  [...numbers].sort((one, other) => one - other);

async function untilPaid(count: number): Promise<void> {
  while ((await paid()).length < count) await new Promise((resolve) => setTimeout(resolve, 50));
}

const walletIds = () => office.wallets().map(({ id }) => id);

test('a payout is approved as a whole by two people, and each line is paid once, whoever is killed', async () => {
  const before = await paid();
  const lines = linesTo(suppliers, times({ short: 60, all: 1_000 }));
  const order = { payoutId: 'march', wallets: walletIds(), batch: { linesMax: 8 } };
  const started = await steadfastWith(backend.sign).payout(order, lines);
  await untilAsked('payout:march');
  expect(await paid()).toEqual(before);
  const own = join(folder, 'own.csv');
  const csv = (rows: typeof lines) =>
    ['lineId,to,amount,token', ...rows.map((row) => Object.values(row).join(','))].join('\n');
  writeFileSync(
    own,
    csv([
      ...lines.slice(0, -1),
      { lineId: 'line-x', to: suppliers[0] ?? '', amount: '9', token: 'USDC' },
    ]),
  );
  const compared = await approve('payout:march', ann, '--file', own);
  expect(compared.stderr).toContain('line-x was');
  // The file that the sender has, with columns of its own.
  writeFileSync(own, csv(lines).replace(/^.*/, 'lineId,Account,amount,token'));
  const copy = ['--file', own, '--map', 'to=Account'];
  const approved = await approve('payout:march', ann, ...copy);
  expect(approved.stderr).toContain(`USDC to ${lines.length} lines`);
  expect(approved.code).toBe(0);
  await untilAsked('payout:march', 1);
  await restartWith({});
  await untilAsked('payout:march', 1);
  await approveOffline('payout:march', bo);
  await untilPaid(before.length + 20);
  await restartWith({});
  const receipt = await office.receiptOf('payout:march', started);
  expect(receipt).toMatchObject({ lines: lines.length, paid: lines.length });
  // A line whose screening has no answer for a while is paid alone, as on a busy machine.
  expect(receipt.batched?.lines).toBeGreaterThan(lines.length / 2);
  expect(ascending(await paid())).toEqual(ascending([...before, ...unitsOf(lines)]));
});

test('an approver less half-way, and a supplier more after that: the rest is asked for, and paid once', async () => {
  const before = await paid();
  const late = someone();
  const mixed = [...suppliers.slice(1), late];
  const lines = [...linesTo(suppliers, 8), ...linesTo(mixed, 32)].map((line, at) => {
    return { ...line, lineId: `line-${at}` };
  });
  // Each batch waits for seconds, and a worker is started again before the third one.
  const order = { payoutId: 'april', wallets: walletIds(), linesPerS: 0.5, batch: { linesMax: 4 } };
  const started = await steadfastWith(backend.sign).payout(order, lines);
  /** Approves as the next one. While lines of a killed worker are sent again, it asks nobody. */
  const by = async (key: typeof ann, given: number): Promise<void> => {
    for (;;) {
      await untilAsked('payout:april', given);
      const told = await approve('payout:april', key);
      if (told.code === 0) return;
      expect(told.stderr).toContain('asks for no approval');
    }
  };
  await by(ann, 0);
  await by(bo, 1);
  await untilPaid(before.length + 6);
  const treasurers = ['bo', 'cy'];
  await restartWith({ treasurers });
  await steadfastWith().rate('payout:april', null);
  await untilAsked('payout:april', 1);
  expect((await paid()).length).toBeLessThan(before.length + lines.length);
  await by(cy, 1);
  const receipt = await office.receiptOf('payout:april', started);
  // No rule names this supplier, and its lines have held up no other line of their batches.
  expect(receipt).toMatchObject({ lines: 40, failed: 8, unknown: 0, skipped: 0 });
  await restartWith({ treasurers, to: [...suppliers, gambler, late] });
  const again = await steadfastWith(backend.sign).retry('payout:april');
  await by(bo, 0);
  await by(cy, 1);
  expect(await again.receipt()).toMatchObject({ lines: 40, paid: 40 });
  expect(ascending(await paid())).toEqual(ascending([...before, ...unitsOf(lines)]));
});

/** Lines of so many millionths, together below the tier. */
function few(...millionths: number[]) {
  return millionths.map((units) => {
    const to = suppliers[units % suppliers.length] ?? '';
    return { lineId: `line-${units}`, to, amount: (units / 1e6).toFixed(6), token: 'USDC' };
  });
}

test('lines that screening wants reviewed wait one by one, and all others are paid meanwhile', async () => {
  const before = await paid();
  const [first, second, ...others] = few(11, 12, 13, 14, 15, 16);
  if (first === undefined || second === undefined) throw new Error('No lines.');
  const lines = [{ ...first, to: gambler }, { ...second, to: gambler }, ...others];
  const order = { payoutId: 'june', wallets: walletIds() };
  const { receipt } = await steadfastWith(backend.sign).payout(order, lines);
  await untilPaid(before.length + 4);
  await untilAsked('payout:june');
  const both = await approve('payout:june', ann);
  expect(both).toMatchObject({ code: 2 });
  expect(both.stderr).toContain('payout:june asks about line/line-11#0, line/line-12#0');
  await restartWith({});
  /** Approves as the next one. While lines of a killed worker are sent again, it asks nobody. */
  const by = async (key: typeof ann, given: number) => {
    for (;;) {
      await untilAsked('payout:june', given);
      const told = await approve('payout:june', key, '--target', 'line/line-11#0');
      if (!told.stderr.includes('stands as Settling')) return told;
    }
  };
  expect((await by(ann, 0)).stderr).toContain(`the rule risk says review about ${gambler}`);
  expect(await by(bo, 1)).toMatchObject({ code: 0 });
  await untilPaid(before.length + 5);
  const why = ['--reason', 'not a customer', '--target', 'line/line-12#0'];
  const rejected = await office.cli(['reject', 'payout:june', '--key', bo.path, ...why]);
  expect(rejected).toMatchObject({ code: 0 });
  expect(await receipt()).toMatchObject({ lines: 6, paid: 5, failed: 1 });
  const units = ascending([...before, 11, 13, 14, 15, 16]);
  expect(ascending(await paid())).toEqual(units);
  for await (const line of steadfastWith().payoutLines('payout:june')) {
    const isReviewed = line.lineId === 'line-11';
    const verdict = { rules: ['out'], screened: { risk: isReviewed ? 'review' : 'clear' } };
    if (line.outcome === 'paid') expect(line.grounds).toMatchObject(verdict);
    if (isReviewed) expect(line.grounds?.approvedBy).toEqual(['ann', 'bo']);
  }
});

test('a signed payout that is ended half-way goes on in batches of another size, and pays once', async () => {
  const before = await paid();
  const units = Array.from({ length: 18 }, (_, at) => 20 + at);
  const lines = few(...units);
  const order = { payoutId: 'july', wallets: walletIds() };
  const slowly = { ...order, linesPerS: 3, batch: { linesMax: 3 } };
  const first = await steadfastWith(backend.sign).payout(slowly, lines);
  await untilPaid(before.length + 3);
  await office.client().workflow.getHandle('payout:july').terminate('by its operator');
  await expect(first.receipt()).rejects.toThrow();
  const again = { ...order, batch: { linesMax: 5 } };
  const started = await steadfastWith(backend.sign).payout(again, lines);
  expect(await started.receipt()).toMatchObject({ lines: 18, paid: 18 });
  expect(ascending(await paid())).toEqual(ascending([...before, ...units]));
});

test('a payout that nobody has signed pays nothing, nor one whose lines are others than were signed', async () => {
  const before = await paid();
  const unsigned = await steadfastWith().payout(
    { payoutId: 'unsigned', wallets: walletIds() },
    few(1, 2, 3),
  );
  expect(await unsigned.receipt()).toMatchObject({ paid: 0, failed: 3 });
  const lines = few(4, 5, 6);
  const file = join(folder, 'may.json');
  const order = { payoutId: 'may', wallets: walletIds() };
  writeFileSync(file, JSON.stringify({ ...order, lines }));
  const printed = await office.cli(['request', 'payout', 'payout:may', '--file', file], {
    STEADFAST_ENTITY_ID: office.entity(),
  });
  const request = await backend.sign(printed.stdout, 'request');
  const signed = { ...order, request };
  await expect(steadfastWith().payout(signed, few(7, 8, 9))).rejects.toThrow(
    'request: it was signed for 3 with the root',
  );
  expect(await paid()).toEqual(before);
  const { receipt } = await steadfastWith().payout(signed, lines);
  expect(await receipt()).toMatchObject({ paid: 3 });
});
