import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { createSteadfast, type Signer, type Steadfast } from '../../../src/client/client';
import type { Signed } from '../../../src/orders/input/signed';
import { signedStatement } from '../../../src/orders/input/signed';
import { readLines } from '../../../src/orders/payout/readLines';
import { periodStart } from '../../../src/orders/schedule/schedule';
import { proofIn, treeOf } from '../../../src/writer/signing/lineTree';
import { textOf } from '../../../src/writer/signing/statement';
import { kind, payee, signedOffice } from './signedOffice';

const { keys, taskQueue, ...office } = signedOffice('back');

const period = "yyyy-MM-dd'T'HH-mm-ss";
const lineOf = (lineId: string, amount: string) => ({ lineId, to: payee, amount, token: 'USDC' });

/** A payout with its lines, and the proof of each of them. */
function payoutWith(...amounts: string[]) {
  const payoutId = `back-${randomUUID().slice(0, 8)}`;
  const id = `payout:${payoutId}`;
  const lines = amounts.map((amount, at) => lineOf('abcdefgh'[at] ?? '', amount));
  const [wallet] = office.wallets();
  const order = { payoutId, wallets: [wallet?.id ?? ''] as [string], lines };
  const sendLine = (at: number, request: Signed): Promise<string> => {
    const { lineId = '', amount = '' } = lines[at] ?? {};
    const others = proofIn(treeOf(readLines(lines, 1)), [at]);
    const proof = { token: 'USDC', lines: [{ lineId, generation: 0, index: at }], others };
    const parts = { workflowId: id, step: 'line', item: lineId, generation: 0 };
    return office.attempt({ parts, amount, authority: { request, proof } });
  };
  return { id, order, sendLine };
}

/** Starts a payout that waits before its first line. */
async function startPaused(steadfast: Steadfast, { id, order }: ReturnType<typeof payoutWith>) {
  const { started, pausing } = await office.withoutWorker(async () => {
    const one = await steadfast.start('payout', id, order);
    return { started: one, pausing: steadfast.pause(id, 'wait') };
  });
  await pausing;
  while ((await steadfast.status(id)).progress?.status !== 'Paused') await sleep(200);
  return started;
}

describe('a line that was skipped with the key', () => {
  it('stays so if its payout is cancelled before it pays anything, and continued', async () => {
    const steadfast = office.steadfastWith(keys.backend.sign);
    const before = await office.paid();
    const payout = payoutWith('0.5', '0.75', '0.6');
    const { receipt } = await startPaused(steadfast, payout);
    await steadfast.skip(payout.id, ['b'], 'unknown invoice');
    await steadfast.cancel(payout.id, 'wrong month');
    await expect(receipt()).rejects.toThrow('was cancelled');
    const again = await steadfast.continue(payout.id);
    expect(await again.receipt()).toMatchObject({ lines: 3, paid: 2, skipped: 1 });
    const paid = await office.paid();
    expect(paid.slice(before.length).sort()).toEqual([500_000, 600_000]);
  });

  it('stays so if another line is retried with the key', async () => {
    const steadfast = office.steadfastWith(keys.backend.sign);
    const before = await office.paid();
    const payout = payoutWith('0.5', '0.75', '10.6');
    const { receipt } = await startPaused(steadfast, payout);
    await steadfast.skip(payout.id, ['b'], 'unknown invoice');
    await steadfast.resume(payout.id);
    expect(await receipt()).toMatchObject({ paid: 1, failed: 1, skipped: 1 });
    const again = await steadfast.retry(payout.id, ['c']);
    expect(await again.receipt()).toMatchObject({ paid: 1, failed: 1, skipped: 1 });
    const request = await office.requestIn(payout.id, again.runId);
    expect(await payout.sendLine(1, request)).toContain(
      `backend has withdrawn what it signed for ${payout.id} line/b`,
    );
    expect(await office.paid()).toEqual([...before, 500_000]);
  });
});

test('a period that was withdrawn with the key is not paid by a later signature of its schedule', async () => {
  const steadfast = office.steadfastWith(keys.backend.sign);
  const before = await office.paid();
  const id = `rent-${randomUUID().slice(0, 8)}`;
  const schedule = { kind, order: office.orderWith('1'), every: '20s', period } as const;
  const [, next] = await office.withoutWorker(async () => {
    const coming = await steadfast.schedules.create(id, schedule);
    await office.client().schedule.getHandle(id).pause();
    return coming;
  });
  const name = `transfer:${id}:${next?.period}`;
  expect((await steadfast.cancel(name, 'paid by hand')).words).toContain('is withdrawn');
  await steadfast.schedules.sign(id, { schedule });
  const { action } = await office.client().schedule.getHandle(id).describe();
  const { request } = periodStart.parse(action.args?.[0]).order;
  while (Date.now() < Date.parse(next?.at ?? '') + 500) await sleep(200);
  const refused = await office.sendRaw(name, '1', signedStatement.parse(request));
  expect(refused).toContain(`backend has withdrawn what it signed for ${name}`);
  expect(await office.paid()).toEqual(before);
  // Its signer may order exactly this period by itself.
  const { receipt } = await steadfast.start(kind, name, office.orderWith('1'));
  await receipt();
  expect(await office.paid()).toEqual([...before, 1_000_000]);
  await steadfast.schedules.remove(id);
});

describe('a signed schedule that its owner deletes with the key', () => {
  const changed = async (id: string, args: (start: object) => unknown[]) => {
    const handle = office.client().schedule.getHandle(id);
    await handle.update(({ action, ...others }) => {
      return { ...others, action: { ...action, args: args(Object(action.args?.[0])) } };
    });
  };
  it.each<[string, (id: string) => Promise<unknown>]>([
    [
      'which says that it is a close',
      (id) => changed(id, (start) => [{ ...start, kind: 'dailyClose' }]),
    ],
    [
      'which says that it is a payout',
      (id) => changed(id, (start) => [{ ...start, kind: 'payout' }]),
    ],
    ['which says nothing', (id) => changed(id, () => [{ nothing: 1 }])],
    ['which somebody has deleted before', (id) => office.client().schedule.getHandle(id).delete()],
  ])('%s, pays none of its periods', async (_, attack) => {
    const steadfast = office.steadfastWith(keys.backend.sign);
    const before = await office.paid();
    const id = `often-${randomUUID().slice(0, 8)}`;
    const first = await office.withoutWorker(async () => {
      const schedule = { kind, order: office.orderWith('1'), every: '2s', period } as const;
      const [next] = await steadfast.schedules.create(id, schedule);
      const handle = office.client().schedule.getHandle(id);
      const { action } = await handle.describe();
      await sleep(2_500);
      await handle.pause();
      return { name: next?.period, start: periodStart.parse(action.args?.[0]) };
    });
    await attack(id);
    const { isKept, words } = await steadfast.schedules.remove(id);
    expect(words).toContain(`What backend has signed for schedule:${id} `);
    expect(isKept).toBe(true);
    const request = signedStatement.parse(first.start.order.request);
    const refused = await office.sendRaw(`transfer:${id}:${first.name}`, '1', request);
    expect(refused).toContain(`backend has withdrawn what it signed for schedule:${id}`);
    expect(await office.paid()).toEqual(before);
  });
});

test('with a key scope, an id that has it in front is the order and nothing that stands beside it', async () => {
  const before = await office.paid();
  const signing = { sign: keys.backend.sign, entity: office.entity(), blockchain: 'ARC-TESTNET' };
  const client = office.client();
  const keyScope = 'shop';
  const steadfast = createSteadfast({ client, taskQueue, keyScope, signing });
  const id = `transfer:${randomUUID()}`;
  const shown = `shop:${id}`;
  const { runId, cancelling } = await office.withoutWorker(async () => {
    const started = await steadfast.start(kind, id, office.orderWith('2'));
    await client.workflow.start('transferStablecoin', {
      workflowId: `shop:${shown}`,
      taskQueue,
      args: [office.orderWith('2')],
    });
    return { ...started, cancelling: steadfast.cancel(shown, 'not wanted') };
  });
  expect((await cancelling).words).toContain(`What backend has signed for ${shown} `);
  const refused = await office.sendRaw(shown, '2', await office.requestIn(shown, runId));
  expect(refused).toContain(`backend has withdrawn what it signed for ${shown}`);
  expect(await office.paid()).toEqual(before);
  await expect(steadfast.start(kind, shown, office.orderWith('2'))).rejects.toThrow(
    `id: "${shown}" begins with the key scope`,
  );
});

describe('a request that is dated after its time', () => {
  /** A signer whose clock is ahead. */
  const ahead =
    (ms: number): Signer =>
    (text, purpose) => {
      if (purpose !== 'request') return keys.backend.sign(text, purpose);
      const statement = JSON.parse(text);
      const signedAt = new Date(Date.now() + ms).toISOString();
      return keys.backend.sign(textOf({ ...statement, signedAt }), purpose);
    };

  it.each([
    ['a minute', 60_000],
    ['a year', 365 * 86_400_000],
  ])('by %s, is refused, and no word says that it is withdrawn', async (_, ms) => {
    const before = await office.paid();
    const id = `transfer:ahead-${randomUUID()}`;
    const { runId, cancelling } = await office.withoutWorker(async () => {
      const started = await office.steadfastWith(ahead(ms)).start(kind, id, office.orderWith('2'));
      const cancelling = office.steadfastWith(keys.backend.sign).cancel(id, 'not wanted');
      return { ...started, cancelling };
    });
    const { words } = await cancelling;
    expect(words).toMatch(/its request is dated \S+, which is later/);
    const refused = await office.sendRaw(id, '2', await office.requestIn(id, runId));
    expect(refused).toContain('is dated');
    expect(await office.paid()).toEqual(before);
  });

  it('by a second is withdrawn like any other', async () => {
    const before = await office.paid();
    const id = `transfer:soon-${randomUUID()}`;
    const { runId, cancelling } = await office.withoutWorker(async () => {
      const started = await office
        .steadfastWith(ahead(1_000))
        .start(kind, id, office.orderWith('2'));
      const cancelling = office.steadfastWith(keys.backend.sign).cancel(id, 'not wanted');
      return { ...started, cancelling };
    });
    expect((await cancelling).words).toContain('is withdrawn');
    const refused = await office.sendRaw(id, '2', await office.requestIn(id, runId));
    expect(refused).toContain(`backend has withdrawn what it signed for ${id}`);
    expect(await office.paid()).toEqual(before);
  });
});
