import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { signedStatement } from '../../../src/orders/input/signed';
import { periodStart } from '../../../src/orders/schedule/schedule';
import { officeOf } from './office';
import { payee, tiered } from './signedOffice';

const { keys, folder, ...office } = officeOf('approvals', tiered);
const { backend, ann, bo } = keys;
const { steadfastWith, untilAsked, paid } = office;
const cli = (...args: string[]) => office.cli(args);

const orderOf = (amount: string) => {
  const [wallet] = office.wallets();
  return { from: { walletId: wallet?.id ?? '' }, to: payee, amount, token: 'USDC' } as const;
};

test('an order that nobody has signed is refused, and one that its backend has signed is paid', async () => {
  const unsigned = steadfastWith().execute('transferStablecoin', 'transfer:unsigned', orderOf('1'));
  await expect(unsigned).rejects.toThrow('wants a signature of @backends, and the order has none');
  const signed = steadfastWith(backend.sign);
  await signed.execute('transferStablecoin', 'transfer:signed', orderOf('1'));
  const again = await signed.start('transferStablecoin', 'transfer:signed', orderOf('1'));
  expect(again.outcome).toBe('completed');
  expect(await paid()).toEqual([1_000_000]);
});

test('a dry run tells what the policy says about each write', async () => {
  const told = async (fields: object): Promise<(string | undefined)[]> => {
    const order = { ...orderOf('1'), ...fields };
    const steadfast = steadfastWith(backend.sign);
    const plan = await steadfast.plan('transferStablecoin', 'transfer:dry', order);
    return plan.writes.map(({ policy }) => policy);
  };
  expect(await told({})).toEqual(['allowed by out.']);
  const people = 'The rule large asks 2 of ann, bo, within 48 hours.';
  expect(await told({ amount: '2.5' })).toEqual([`It is above 2. ${people}`]);
  const [refused] = await told({ to: `0x${'2'.repeat(40)}` });
  expect(refused).toContain('refused. 0x2222');
});

test('any other program signs what the command line prints, and starts the order with it', async () => {
  const file = join(folder, 'order.json');
  writeFileSync(file, JSON.stringify(orderOf('1.25')));
  const printed = await office.cli(
    ['request', 'transferStablecoin', 'transfer:by-hand', '--file', file],
    { STEADFAST_ENTITY_ID: office.entity() },
  );
  const request = await backend.sign(printed.stdout, 'request');
  const order = { ...orderOf('1.25'), request };
  await steadfastWith().execute('transferStablecoin', 'transfer:by-hand', order);
  const elsewhere = steadfastWith().execute('transferStablecoin', 'transfer:other-id', order);
  await expect(elsewhere).rejects.toThrow('Its request is for the order transfer:by-hand');
  expect(await paid()).toEqual([1_000_000, 1_250_000]);
});

/** Tells what the command line says about a schedule, its orders, and one of them. */
async function tell(id: string, period = ''): Promise<string> {
  const order = `transfer:${id}:${period}`;
  const list = ['list', '--kind', 'transferStablecoin', '--limit', '20'];
  const told = await Promise.all(
    [['schedule', 'describe', id], list, ['status', order]].map((args) => office.cli(args)),
  );
  const scheduler = office.client().workflow.getHandle(`temporal-sys-scheduler:${id}`);
  const { events } = await scheduler.fetchHistory();
  const history = events?.map(({ eventType, eventTime }) => {
    const second = Number(eventTime?.seconds ?? 0) * 1_000;
    return `${new Date(second).toISOString()} ${eventType}`;
  });
  return [...told.map(({ stdout, stderr }) => stdout + stderr), ...(history ?? [])].join('\n');
}

test('a schedule that its backend has signed pays each period that has begun, and no other', async () => {
  const { schedules } = steadfastWith(backend.sign);
  const before = await paid();
  const id = `rent-${Date.now()}`;
  const kind = 'transferStablecoin';
  const order = { ...orderOf('0.5'), reference: 'rent of {period}' };
  const times = { every: '20s', period: "yyyy-MM-dd'T'HH-mm-ss", runs: 1 };
  // It signs the period that begins next, which must not begin before the schedule is there.
  await sleep(20_100 - (Date.now() % 20_000));
  const [first] = await schedules.create(id, { kind, order, ...times });
  try {
    const lateMs = Date.parse(first?.at ?? '') + 120_000;
    while ((await paid()).length === before.length) {
      await sleep(100);
      if (Date.now() > lateMs) throw new Error(await tell(id, first?.period));
    }
    const { action } = await office.client().schedule.getHandle(id).describe();
    const { request } = periodStart.parse(action.args?.[0]).order;
    const next = { ...order, request: signedStatement.parse(request) };
    // The request can be read in Temporal, and put into any order.
    const more = steadfastWith().execute(kind, `transfer:${id}:2026-11-01T00-00-20`, next);
    await expect(more).rejects.toThrow(`was signed for 1 period, from ${first?.period}`);
    expect(await paid()).toEqual([...before, 500_000]);
  } finally {
    await schedules.remove(id);
  }
  const named = { ...orderOf('0.5'), amount: '{period}' };
  await expect(
    schedules.create('named', { kind, order: named, cron: '0 9 1 1 *', period: 'yyyy' }),
  ).rejects.toThrow('"{period}" stands in a field that decides about money');
});

test('an order above a tier is paid once two people have approved, one of them offline, and its worker was killed', async () => {
  const id = 'transfer:large';
  const started = await steadfastWith(backend.sign).start('transferStablecoin', id, orderOf('3'));
  await untilAsked(id);
  expect((await cli('approvals')).stdout).toMatch(
    /transfer:large +transfer\/1#0 +transferStablecoin +large +0 of 2 +3 USDC/,
  );
  const wrong = join(folder, 'own.json');
  writeFileSync(wrong, JSON.stringify(orderOf('3.1')));
  const compared = await cli('approve', id, '--key', ann.path, '--file', wrong);
  expect(compared.stderr).toContain('is not what is to be signed: amount was "3.1", is "3"');
  const names = join(folder, 'names.csv');
  writeFileSync(names, `address,name\n${payee},Acme Ltd\n`);
  const approved = await cli('approve', id, '--key', ann.path, '--names', names);
  expect(approved.stderr).toContain(`3 USDC to ${payee.toLowerCase()} (Acme Ltd)`);
  expect(approved.code).toBe(0);
  await untilAsked(id, 1);
  await office.restartWith({});
  await untilAsked(id, 1);
  await office.approveOffline(id, bo);
  const receipt = await started.receipt();
  expect(receipt.grounds).toEqual({
    policy: expect.stringMatching(/^2 [0-9a-f]{64}$/),
    rules: ['out'],
    signedBy: 'backend',
    approvedBy: ['ann', 'bo'],
    seal: expect.objectContaining({ signature: expect.any(String) }),
  });
  const { progress } = await steadfastWith().status(id);
  const told = progress?.timeline.map(({ words }) => words).join('\n');
  expect(told).toContain('allowed by out, policy 2; signed by backend; approved by ann, bo');
  expect((await paid()).slice(3)).toEqual([3_000_000]);
});

test('an order that one person rejects ends, and nothing is paid', async () => {
  const id = 'transfer:rejected';
  const started = await steadfastWith(backend.sign).start('transferStablecoin', id, orderOf('4'));
  await untilAsked(id);
  await cli('approve', id, '--key', ann.path);
  const rejected = await cli('reject', id, '--key', bo.path, '--reason', 'unknown invoice');
  expect(rejected.code).toBe(0);
  await expect(started.receipt()).rejects.toThrow('bo has rejected it');
  expect((await paid()).length).toBe(4);
});

test('a control that does not fit is refused: nobody waits, a key of nobody, a signature for something else', async () => {
  const nothing = await cli('approve', 'transfer:signed', '--key', ann.path);
  expect(nothing.stderr).toContain('asks for no approval');
  const id = 'transfer:open';
  const started = await steadfastWith(backend.sign).start('transferStablecoin', id, orderOf('5'));
  await untilAsked(id);
  const gone = await cli('approve', id, '--key', join(folder, 'nobody'));
  expect(gone.stderr).toMatch(/--key: The key \S+ cannot sign/);
  const statement = join(folder, 'other.json');
  writeFileSync(statement, '{}');
  writeFileSync(`${statement}.sig`, (await ann.sign('{"a":"b"}', 'approval')).signature);
  const foreign = await cli('approve', id, '--signature', `${statement}.sig`);
  expect(foreign.stderr).toContain('It does not fit the statement');
  await steadfastWith().cancel(id, 'not wanted');
  await expect(started.receipt()).rejects.toThrow(/cancelled/);
  expect((await paid()).length).toBe(4);
});
