import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { decodeArrayFromPayloads } from '@temporalio/common/lib/internal-non-workflow';
import type { Signer } from '../../../src/client/client';
import { standingOverride } from '../../../src/client/schedules/overrides/keepOverride';
import { type Signed, signedStatement } from '../../../src/orders/input/signed';
import { periodStart } from '../../../src/orders/schedule/schedule';
import { kind, payee, signedOffice } from '../authority/signedOffice';

const { keys, ...office } = signedOffice('instead');
const template = "yyyy-MM-dd'T'HH-mm-ss";

/** A signed schedule that pays 1 USDC once, so many seconds from now. */
async function once(leadS: number, sign: Signer = keys.backend.sign) {
  const { schedules } = office.steadfastWith(sign);
  const id = `rent-${randomUUID().slice(0, 8)}`;
  const offset = `${(Math.ceil(Date.now() / 1_000) + leadS) % 3_600 || 1}s`;
  const times = { every: '1h', offset, period: template, runs: 1 };
  const [next] = await schedules.create(id, { kind, order: office.orderWith('1'), ...times });
  if (next === undefined) throw new Error('It has no period.');
  const { action } = await office.client().schedule.getHandle(id).describe();
  const request = signedStatement.parse(periodStart.parse(action.args?.[0]).order.request);
  const name = `transfer:${id}:${next.period}`;
  const until = (lateMs: number) => sleep(Math.max(0, Date.parse(next.at) + lateMs - Date.now()));
  return { schedules, id, ...next, name, request, until };
}

/** The request of an override that waits, as everybody can read it in Temporal. */
async function requestOf(name: string): Promise<Signed> {
  const client = office.client();
  const { events } = await client.workflow.getHandle(name).fetchHistory();
  const changes = (events ?? []).flatMap(({ workflowExecutionUpdateAcceptedEventAttributes }) => {
    const { input } = workflowExecutionUpdateAcceptedEventAttributes?.acceptedRequest ?? {};
    return input?.name === 'change' ? [input.args?.payloads] : [];
  });
  const { loadedDataConverter } = client.options;
  const [override] = await decodeArrayFromPayloads(loadedDataConverter, changes.at(-1));
  return signedStatement.parse(Object(override).order.request);
}

const receiptOf = (name: string) => {
  const receipt = () => office.client().workflow.getHandle(name).result();
  return office.receiptOf<{ amount: string }>(name, { receipt });
};

test('a period that is overridden with the key pays that once, through kills, and nothing beside it', async () => {
  const { schedules, id, period, name, request, until } = await once(45);
  const before = await office.paid();
  const { words } = await schedules.override(id, period, { change: { amount: '2' } });
  expect(words).toContain(`What backend has signed for ${name} is withdrawn`);
  const replaced = await requestOf(name);
  await schedules.override(id, period, { change: { amount: '3' } });
  // Nobody who reads the signatures pays the period early, or what was replaced.
  const own = await requestOf(name);
  for (const [amount, signed] of [
    ['1', request],
    ['2', replaced],
    ['3', own],
  ] as const) {
    expect(await office.sendRaw(name, amount, signed)).toMatch(/Its period .*begins at/);
  }
  await office.withoutWorker(() => until(300));
  for (const [amount, signed] of [
    ['1', request],
    ['2', replaced],
  ] as const) {
    expect(await office.sendRaw(name, amount, signed)).not.toContain('It was sent');
  }
  await office.withoutWorker(() => sleep(300));
  await sleep(1_500);
  await office.withoutWorker(() => sleep(100));
  expect(await receiptOf(name)).toMatchObject({ amount: '3' });
  for (const [amount, signed] of [
    ['1', request],
    ['2', replaced],
  ] as const) {
    expect(await office.sendRaw(name, amount, signed)).not.toContain('It was sent');
  }
  expect(await schedules.trigger(id, period)).toMatchObject({ outcome: 'completed' });
  expect(await office.paid()).toEqual([...before, 3_000_000]);
  await schedules.remove(id);
});

test('a period whose new order cannot be signed is held, with the way out', async () => {
  const { schedules, id, period, name, until } = await once(25);
  const before = await office.paid();
  const failing: Signer = async (text, purpose) => {
    if (purpose === 'request') throw new Error('the key is locked.');
    return keys.backend.sign(text, purpose);
  };
  const other = office.steadfastWith(failing).schedules;
  await expect(other.override(id, period, { change: { amount: '2' } })).rejects.toThrow(
    `the key is locked. What was signed for it before is withdrawn. What waits for it stays. Give ` +
      `it again, or pay the usual order: npx --no-install steadfast schedule override ${id} ` +
      `--period ${period} --remove`,
  );
  expect(await standingOverride(office.client(), name)).toBeDefined();
  await schedules.override(id, period, { change: { amount: '2' } });
  await until(0);
  expect(await receiptOf(name)).toMatchObject({ amount: '2' });
  expect(await office.paid()).toEqual([...before, 2_000_000]);
});

test('the order of an override is not sent before its period, nor once its schedule was withdrawn', async () => {
  const { schedules, id, period, name, at, until } = await once(25);
  const before = await office.paid();
  await schedules.override(id, period, { change: { amount: '2' } });
  const signed = await requestOf(name);
  expect(await office.sendRaw(name, '2', signed)).toContain(`Its period begins at ${at}`);
  const { words } = await schedules.remove(id);
  expect(words).toContain('is withdrawn');
  // The writer takes the time from the service, which tells it to the second.
  await until(2_000);
  expect(await office.sendRaw(name, '2', signed)).toContain(
    `backend has withdrawn what it signed for schedule:${id}`,
  );
  expect(await office.paid()).toEqual(before);
});

test('a period that is left out with the key is paid by nobody, and as usual once it is restored', async () => {
  const { schedules, id, period, name, request, until } = await once(25);
  const before = await office.paid();
  await schedules.override(id, period, 'nothing');
  await until(2_000);
  expect(await office.sendRaw(name, '1', request)).toContain(
    `backend has withdrawn what it signed for ${name}`,
  );
  expect(await schedules.trigger(id, period)).toMatchObject({ outcome: 'leftOut' });
  expect(await office.paid()).toEqual(before);
  expect(await schedules.restore(id, period)).toContain('is signed by itself');
  expect(await schedules.trigger(id, period)).toMatchObject({ outcome: 'started' });
  await receiptOf(name);
  expect(await office.paid()).toEqual([...before, 1_000_000]);
  await schedules.remove(id);
});

test('a signed payout of one period is that of a file, within the policy', async () => {
  const { schedules } = office.steadfastWith(keys.backend.sign);
  const [wallet] = office.wallets();
  const before = await office.paid();
  const id = `pay-${randomUUID().slice(0, 8)}`;
  const offset = `${(Math.ceil(Date.now() / 1_000) + 30) % 3_600 || 1}s`;
  const lines = [{ lineId: 'usual', to: payee, amount: '4', token: 'USDC' }];
  const order = { wallets: [wallet?.id ?? ''], lines, batch: false as const };
  const times = { every: '1h', offset, period: template, runs: 1 };
  const [next] = await schedules.create(id, { kind: 'payout', order, ...times });
  const path = join(office.folder, 'bonus.csv');
  const rows = ['0.5', '0.7'].map((amount, at) => `bonus-${at},${payee},${amount},USDC`);
  writeFileSync(path, ['lineId,to,amount,token', ...rows, ''].join('\n'));
  const period = next?.period ?? '';
  const env = { STEADFAST_ENTITY_ID: office.entity(), STEADFAST_SIGN_KEY: keys.backend.path };
  const ways = ['schedule', 'override', id, '--period', period, '--file', path];
  // The rest of the order is what Temporal shows, so that somebody reads it first.
  const unread = await office.cli(ways, env);
  expect(unread.code).toBe(2);
  expect(unread.stderr).toMatch(/sum 1\.2 USDC · digest \S+\. When: once.*--yes: is missing/s);
  expect(await office.cli([...ways, '--yes'], env)).toMatchObject({ code: 0 });
  const name = `payout:${id}:${period}`;
  await sleep(Math.max(0, Date.parse(next?.at ?? '') + 500 - Date.now()));
  const { outcome } = await schedules.trigger(id, period);
  expect(outcome).not.toBe('leftOut');
  expect(await receiptOf(name)).toMatchObject({ lines: 2, paid: 2 });
  expect((await office.paid()).slice(before.length).sort()).toEqual([500_000, 700_000]);
  await schedules.remove(id);
});

test('a signed schedule is overridden with no other key, and with none', async () => {
  const { schedules, id, period } = await once(25);
  const instead = { change: { amount: '2' } } as const;
  const refusal = (sign?: Signer) =>
    office.steadfastWith(sign).schedules.override(id, period, instead).catch(String);
  expect(await refusal()).toContain('Set STEADFAST_SIGN_KEY to the key that has signed it.');
  expect(await refusal(keys.ann.sign)).toContain('Another key has signed it.');
  expect((await schedules.describe(id)).overrides).toEqual([]);
  await schedules.remove(id);
});
