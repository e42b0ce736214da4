import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { msToTs } from '@temporalio/common/lib/time';
import { createSteadfast } from '../../../src/client/client';
import { signedStatement } from '../../../src/orders/input/signed';
import { readLines } from '../../../src/orders/payout/readLines';
import { periodStart, type Schedule } from '../../../src/orders/schedule/schedule';
import { proofIn, treeOf } from '../../../src/writer/signing/lineTree';
import { testKeys } from '../../writer/signing/keys';
import { kind, payee, signedOffice } from './signedOffice';

const { keys, taskQueue, ...office } = signedOffice('input');
const mallory = testKeys()('mallory');

/** Replaces the times of a schedule by every five seconds, from its creation on. */
async function makeDenser(scheduleId: string, { isOnce }: { isOnce: boolean }) {
  const { workflowService } = office.client();
  const startWorkflow = {
    workflowId: `schedule:${scheduleId}`,
    workflowType: { name: 'startPeriod' },
    taskQueue: { name: taskQueue },
  };
  const spec = { interval: [{ interval: msToTs(5_000) }], timezoneName: 'UTC' };
  const schedule = { spec, state: { paused: true }, action: { startWorkflow } };
  let [hits, isOver] = [0, false];
  const loop = async (): Promise<void> => {
    while (!isOver) {
      const requestId = randomUUID();
      const asked = { namespace: 'default', scheduleId, requestId, schedule };
      // It is not there before its creation.
      const isHit = await workflowService.updateSchedule(asked).then(
        () => true,
        () => false,
      );
      if (isHit) hits += 1;
      if (isHit && isOnce) isOver = true;
      await sleep(1);
    }
  };
  const loops = [loop(), loop(), loop()];
  const stop = async (): Promise<number> => {
    isOver = true;
    await Promise.all(loops);
    return hits;
  };
  return { stop };
}

test('a schedule that somebody makes denser while it is created is signed for its own times alone', async () => {
  const { sign, requests } = office.recorded();
  const { schedules } = office.steadfastWith(sign);
  const before = await office.paid();
  const monthly = { cron: '0 8 1 * *', period: "yyyy-MM-dd'T'HH-mm-ss" };
  const ids: string[] = [];
  let hits = 0;
  for (const isOnce of [true, true, true, false, false]) {
    const id = `monthly-${randomUUID().slice(0, 8)}`;
    const given: Schedule = { kind, order: office.orderWith('1'), ...monthly };
    const { stop } = await makeDenser(id, { isOnce });
    // It is refused where the times of Temporal were read after the change.
    const created = await schedules.create(id, given).then(
      () => 'created',
      (error: Error) => error.message,
    );
    hits += await stop();
    expect(created).toMatch(/^created$|^id: Temporal would start \S+ at other times than "0 8 1/);
    ids.push(id);
  }
  expect(hits).toBeGreaterThan(4);
  // Each of the others would have paid twice.
  await sleep(12_000);
  await Promise.all(ids.map((id) => schedules.remove(id).catch(() => undefined)));
  const signed = requests.flatMap(({ periods }) => periods?.times ?? []);
  expect(signed.filter((time) => !/-01T08:00:00.000Z$/.test(time))).toEqual([]);
  expect(await office.paid()).toEqual(before);
});

test('a signed order is not sent after it was valid, whatever the input of an activity says', async () => {
  const { sign, requests } = office.recorded();
  const before = await office.paid();
  const signing = { sign, entity: office.entity(), blockchain: 'ARC-TESTNET' };
  // Nobody serves its queue, so that it sends nothing while it is valid.
  const steadfast = createSteadfast({ client: office.client(), taskQueue: 'nobody', signing });
  const validUntil = new Date(Date.now() + 1_000).toISOString();
  const id = `transfer:late-${randomUUID()}`;
  const { runId } = await steadfast.start(kind, id, { ...office.orderWith('0.25'), validUntil });
  expect(requests.map(({ expires }) => expires)).toEqual([validUntil]);
  await sleep(2_500);
  const refused = await office.sendRaw(id, '0.25', await office.requestIn(id, runId));
  expect(refused).toContain(`Its order was to be sent until ${validUntil}, as backend has signed.`);
  expect(await office.paid()).toEqual(before);
});

describe('a signed order that was cancelled with its key', () => {
  it('while no worker ran, moves nothing, whoever takes its request out of Temporal', async () => {
    const steadfast = office.steadfastWith(keys.backend.sign);
    const before = await office.paid();
    const id = `transfer:withdrawn-${randomUUID()}`;
    const { runId, receipt, cancelling } = await office.withoutWorker(async () => {
      const started = await steadfast.start(kind, id, office.orderWith('2'));
      return { ...started, cancelling: steadfast.cancel(id, 'not wanted') };
    });
    const words =
      `What backend has signed for ${id} is withdrawn: nothing that was not sent before is sent ` +
      'because of it.';
    expect(await cancelling).toEqual({ isAsked: true, words });
    await expect(receipt()).rejects.toThrow(/cancelled|has withdrawn/);
    const refused = await office.sendRaw(id, '2', await office.requestIn(id, runId));
    expect(refused).toContain(`backend has withdrawn what it signed for ${id} until`);
    expect(await office.paid()).toEqual(before);
  });

  it('after it had ended, or was never started, moves nothing', async () => {
    const { sign, requests } = office.recorded();
    const steadfast = office.steadfastWith(sign);
    const before = await office.paid();
    const id = `transfer:over-${randomUUID()}`;
    const { runId, receipt, cancelling } = await office.withoutWorker(async () => {
      const started = await steadfast.start(kind, id, office.orderWith('2'));
      // Somebody without the key cancels it, and hears how long its request counts.
      return { ...started, cancelling: office.steadfastWith().cancel(id, 'not wanted') };
    });
    const [signed] = requests;
    expect(await cancelling).toEqual({
      isAsked: true,
      words: expect.stringContaining(`What was signed for it counts until ${signed?.expires}.`),
    });
    await expect(receipt()).rejects.toThrow('was cancelled');
    expect(await steadfast.status(id)).toMatchObject({ signedUntil: signed?.expires });
    await expect(office.steadfastWith().cancel(id, 'not wanted')).rejects.toThrow(
      `is not under way any more. What was signed for it counts until ${signed?.expires}.`,
    );
    const { isAsked, words } = await steadfast.cancel(id, 'not wanted');
    expect({ isAsked, words }).toEqual({
      isAsked: false,
      words: expect.stringMatching(
        /is not under way any more. What backend has signed for \S+ is w/,
      ),
    });
    const refused = await office.sendRaw(id, '2', await office.requestIn(id, runId));
    expect(refused).toContain(`backend has withdrawn what it signed for ${id} until`);
    const unknown = `transfer:never-${randomUUID()}`;
    const told = await steadfast.cancel(unknown, 'not wanted');
    expect(told.words).toContain(`Temporal knows no order "${unknown}". What backend has signed`);
    expect(await office.paid()).toEqual(before);
  });
});

test('a signed schedule that was deleted with its key pays nothing more, though a period was due', async () => {
  const { schedules } = office.steadfastWith(keys.backend.sign);
  const before = await office.paid();
  const id = `often-${randomUUID().slice(0, 8)}`;
  const period = "yyyy-MM-dd'T'HH-mm-ss";
  const first = await office.withoutWorker(async () => {
    const [next] = await schedules.create(id, {
      kind,
      order: office.orderWith('1'),
      every: '2s',
      period,
    });
    const { action } = await office.client().schedule.getHandle(id).describe();
    await sleep(2_500);
    await office.client().schedule.getHandle(id).pause();
    return { period: next?.period, start: periodStart.parse(action.args?.[0]) };
  });
  const { isKept, words } = await schedules.remove(id);
  expect({ isKept, words }).toEqual({
    isKept: true,
    words: expect.stringContaining(`What backend has signed for schedule:${id} is withdrawn`),
  });
  const request = signedStatement.parse(first.start.order.request);
  const refused = await office.sendRaw(`transfer:${id}:${first.period}`, '1', request);
  expect(refused).toContain(`backend has withdrawn what it signed for schedule:${id} until`);
  expect(await office.paid()).toEqual(before);
});

test('a line of a signed payout that was skipped with the key is not sent, and all others are', async () => {
  const steadfast = office.steadfastWith(keys.backend.sign);
  const before = await office.paid();
  const [wallet] = office.wallets();
  const payoutId = `skip-${randomUUID().slice(0, 8)}`;
  const id = `payout:${payoutId}`;
  const lineOf = (lineId: string, amount: string) => ({ lineId, to: payee, amount, token: 'USDC' });
  const lines = [lineOf('a', '0.5'), lineOf('b', '0.75')];
  const { runId, receipt, pausing } = await office.withoutWorker(async () => {
    const order = { payoutId, wallets: [wallet?.id ?? ''] as [string], lines };
    const started = await steadfast.start('payout', id, order);
    return { ...started, pausing: steadfast.pause(id, 'wait') };
  });
  await pausing;
  while ((await steadfast.status(id)).progress?.status !== 'Paused') await sleep(200);
  const said = await steadfast.skip(id, ['b'], 'unknown invoice');
  expect(said).toContain(`What backend has signed for 1 line of ${id} is withdrawn`);
  const request = await office.requestIn(id, runId);
  const others = proofIn(treeOf(readLines(lines, 1)), [1]);
  const proof = { token: 'USDC', lines: [{ lineId: 'b', generation: 0, index: 1 }], others };
  const parts = { workflowId: id, step: 'line', item: 'b', generation: 0 };
  const refused = await office.attempt({ parts, amount: '0.75', authority: { request, proof } });
  expect(refused).toContain(`backend has withdrawn what it signed for ${id} line/b until`);
  await steadfast.resume(id);
  expect(await receipt()).toMatchObject({ paid: 1, skipped: 1 });
  expect(await office.paid()).toEqual([...before, 500_000]);
});

test('a withdrawal that nobody in the policy has signed withdraws nothing, and says so', async () => {
  const before = await office.paid();
  const id = `transfer:kept-${randomUUID()}`;
  const { cancelling, runId } = await office.withoutWorker(async () => {
    const started = await office
      .steadfastWith(keys.backend.sign)
      .start(kind, id, office.orderWith('1'));
    return { ...started, cancelling: office.steadfastWith(mallory.sign).cancel(id, 'not wanted') };
  });
  const { words } = await cancelling;
  expect(words).toContain(`What was signed for ${id} is not withdrawn. Its rejection is signed`);
  expect(words).toContain('What was signed for it counts until');
  expect(await office.sendRaw(id, '1', await office.requestIn(id, runId))).toMatch(/^It was sent/);
  while ((await office.paid()).length === before.length) await sleep(100);
  expect(await office.paid()).toEqual([...before, 1_000_000]);
});
