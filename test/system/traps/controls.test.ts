import { NoAnswerError, RefusedError } from '../../../src/custody/errors';
import { setUp } from '../../support/jest/setUp';
import { place } from '../../support/traps/carryOut';
import {
  byName,
  cancelled,
  completed,
  controlsOf,
  deployed,
  minted,
  nothing,
  reason,
  told,
  transferred,
  wholeOf,
} from '../../support/traps/controls';
import { newTransfer } from '../../support/traps/flows';
import {
  ended,
  eventsOf,
  type Held,
  holdAll,
  holdAt,
  letGo,
  type Stage,
  seen,
  seenAs,
  settleStuck,
  stuckOf,
  wake,
  writesIn,
} from '../../support/traps/held';
import { startScene, type Trouble } from '../../support/traps/scene';

const scene = setUp(() => startScene());
const controls = setUp(async () => controlsOf(scene));
beforeAll(() => holdAll(scene));

/** All writes that an order has scheduled so far. */
const askedOf = async (held: Held) => writesIn(await eventsOf(scene, held), 'asked');

describe('a pause', () => {
  test.concurrent.each<[stage: Stage, heldBefore: string]>([
    ['before createTransfer', 'transfer of'],
    ['after createTransfer', ''],
    ['before deployTemplate', 'deployment of'],
    ['after deployTemplate', 'mint of'],
    ['before executeContract', 'mint of'],
    ['after executeContract', ''],
  ])('%s sends nothing more until the order is resumed', async (stage, heldBefore) => {
    const held = await holdAt(scene, stage);
    expect(await told(held, controls.pause(held.id))).toBe('heard');
    const { status } = await letGo(scene, held);
    expect(status).toBe(heldBefore === '' ? 'Done' : 'Paused');
    const updates = ['pause'];
    if (heldBefore !== '') {
      await staysPaused(held, heldBefore);
      expect(await told(held, byName(scene, held, ['resume', {}]))).toBe('heard');
      updates.push('resume');
      await letGo(scene, held);
    }
    expect(await seen(scene, held)).toEqual({ ...completed, ...wholeOf(stage), updates });
  });

  test.concurrent('that is sent twice has the later reason, and is resumed once', async () => {
    const held = await holdAt(scene, 'before executeContract');
    await controls.pause(held.id);
    expect(await told(held, byName(scene, held, ['pause', { reason: 'month end' }]))).toBe('heard');
    await letGo(scene, held);
    const { paused } = await scene.orders.progress(held.id, () => true);
    expect(paused?.reason).toBe('month end');
    expect(await told(held, controls.resume(held.id))).toBe('heard');
    expect(await told(held, controls.resume(held.id))).toBe('The order is not paused.');
    await letGo(scene, held);
    const updates = ['pause', 'pause', 'resume'];
    expect(await seen(scene, held)).toEqual({ ...completed, ...minted, updates });
  });

  test.concurrent('of an order before its check holds back the write', async () => {
    const { held, letCheck } = await unchecked();
    expect(await told(held, controls.pause(held.id))).toBe('heard');
    expect((await seenAs(scene, held, 'NeedsOperator')).shown).toBe('NeedsOperator');
    letCheck();
    expect((await letGo(scene, held)).status).toBe('Paused');
    await staysPaused(held, 'transfer of');
    await controls.resume(held.id);
    await letGo(scene, held);
    const updates = ['pause', 'resume'];
    expect(await seen(scene, held)).toEqual({ ...completed, ...transferred, updates });
  });

  test.concurrent('holds back a write that an operator found to have had no effect', async () => {
    const held = await inDoubt();
    await controls.pause(held.id);
    const target = 'transfer/1#0';
    const answer = `${target} is sent again, under the same key.`;
    expect(await told(held, controls.resolve(held.id, target))).toBe(answer);
    expect((await letGo(scene, held)).status).toBe('Paused');
    await staysPaused(held, 'transfer of');
    await controls.resume(held.id);
    await letGo(scene, held);
    const updates = ['pause', 'resolve', 'resume'];
    expect(await seen(scene, held)).toEqual({ ...completed, ...transferred, updates });
  });
});

async function staysPaused(held: Held, heldBefore: string): Promise<void> {
  const before = await askedOf(held);
  await wake(scene, held);
  const shown = await scene.orders.progress(held.id, () => true);
  expect(shown).toMatchObject({ status: 'Paused', paused: { reason } });
  expect(shown.waitingFor).toContain(`somebody to resume it, before the ${heldBefore}`);
  expect(await askedOf(held)).toEqual(before);
}

/**
 * An ambiguous transfer: the first attempt had no answer, and the second was refused for lack of
 * funds.
 */
async function inDoubt(): Promise<Held> {
  const trouble: Trouble = async (input, { call, forward }) => {
    if (call === 1) throw new NoAnswerError('lost');
    if (call === 2) throw new RefusedError('no funds', { status: 400, code: 155258 });
    return forward(input);
  };
  const flow = { name: 'in doubt', prepare: () => newTransfer(scene, trouble) };
  const held: Held = await place(scene, flow);
  await scene.orders.progress(held.id, ({ status }) => status === 'Unknown');
  return held;
}

/** A transfer whose wallet cannot be read, so that its guard cannot finish. */
async function unchecked(): Promise<{ held: Held; letCheck: () => void }> {
  let call = '';
  const prepare = async () => {
    const play = await newTransfer(scene);
    call = `getWallet ${play.wallet.id}`;
    scene.shut.add(call);
    return play;
  };
  const held: Held = await place(scene, { name: 'unchecked', prepare });
  await scene.orders.progress(held.id, ({ status }) => status === 'NeedsOperator');
  return { held, letCheck: () => scene.shut.delete(call) };
}

describe('a cancellation', () => {
  test.concurrent.each<[stage: Stage, rest: typeof nothing]>([
    ['before createTransfer', nothing],
    ['after createTransfer', { ...nothing, writes: ['createTransfer', 'cancelTransaction'] }],
    ['before deployTemplate', nothing],
    ['after deployTemplate', { ...nothing, writes: ['deployTemplate', 'cancelTransaction'] }],
    ['before executeContract', deployed],
    ['after executeContract', { ...deployed, writes: [...minted.writes, 'cancelTransaction'] }],
  ])('%s ends the order as cancelled, also while it is paused', async (stage, rest) => {
    const held = await holdAt(scene, stage);
    await controls.pause(held.id);
    expect(await told(held, controls.cancel(held.id))).toBe('heard');
    await ended(scene, held);
    const updates = ['pause', 'cancel'];
    expect(await seen(scene, held)).toEqual({ ...cancelled, ...rest, updates });
  });

  test.concurrent('that is sent twice reaches the service once', async () => {
    const held = await holdAt(scene, 'after createTransfer');
    const { letRead } = await unread(held);
    expect(await told(held, controls.cancel(held.id))).toBe('heard');
    expect(await told(held, byName(scene, held, ['cancel', { reason }]))).toBe('heard');
    await letRead();
    await ended(scene, held);
    const updates = ['cancel', 'cancel'];
    const writes = ['createTransfer', 'cancelTransaction'];
    expect(await seen(scene, held)).toEqual({ ...cancelled, ...nothing, writes, updates });
  });

  test.concurrent('goes before an acceleration that is sent with it', async () => {
    const held = await holdAt(scene, 'after createTransfer');
    const call = `cancelTransaction ${await stuckOf(scene, held)}`;
    scene.shut.add(call);
    expect(await told(held, controls.cancel(held.id))).toBe('heard');
    expect(await told(held, controls.accelerate(held.id))).toBe(
      'Transaction UUID is not accelerated: it is being cancelled.',
    );
    scene.shut.delete(call);
    await wake(scene, held);
    await ended(scene, held);
    const writes = ['createTransfer', 'cancelTransaction'];
    const updates = ['cancel'];
    expect(await seen(scene, held)).toEqual({ ...cancelled, ...nothing, writes, updates });
  });

  test.concurrent('of an order before its check ends it after the check', async () => {
    const { held, letCheck } = await unchecked();
    expect(await told(held, controls.cancel(held.id))).toBe('heard');
    letCheck();
    await wake(scene, held);
    await ended(scene, held);
    const updates = ['cancel'];
    expect(await seen(scene, held)).toEqual({ ...cancelled, ...nothing, updates });
  });

  test.concurrent('of an ambiguous write needs a finding, and then sends nothing', async () => {
    const held = await inDoubt();
    expect(await told(held, controls.cancel(held.id))).toBe('heard');
    await wake(scene, held);
    expect((await seenAs(scene, held, 'Unknown')).execution).toBe('RUNNING');
    expect(await told(held, controls.resolve(held.id, 'transfer/1#0'))).toBe(
      'transfer/1#0 is not sent again: the order is cancelled.',
    );
    await ended(scene, held);
    const updates = ['cancel', 'resolve'];
    expect(await seen(scene, held)).toEqual({ ...cancelled, ...nothing, updates });
  });
});

/** Stops all reads of an order's transaction until the test allows them. */
async function unread(held: Held): Promise<{ letRead: () => Promise<void> }> {
  const call = `getTransaction ${await stuckOf(scene, held)}`;
  scene.shut.add(call);
  await wake(scene, held);
  await scene.orders.progress(held.id, ({ status }) => status === 'NeedsOperator');
  const letRead = () => {
    scene.shut.delete(call);
    return wake(scene, held);
  };
  return { letRead };
}

describe('an acceleration', () => {
  test.concurrent.each<Stage>([
    'after createTransfer',
    'after deployTemplate',
    'after executeContract',
  ])('%s is passed on, also while paused', async (stage) => {
    const held = await holdAt(scene, stage);
    await controls.pause(held.id);
    const answer = 'The service was asked to accelerate transaction UUID.';
    expect(await told(held, controls.accelerate(held.id))).toBe(answer);
    await letGo(scene, held);
    const updates = ['pause', 'accelerate'];
    const { writes, ...moved } = wholeOf(stage);
    if (stage === 'after deployTemplate') {
      await staysPaused(held, 'mint of');
      await controls.resume(held.id);
      updates.push('resume');
      await letGo(scene, held);
    }
    const shown = await seen(scene, held);
    const name = stage.replace('after ', '');
    const all = writes.flatMap((write) =>
      write === name ? [write, 'accelerateTransaction'] : [write],
    );
    expect(shown).toEqual({ ...completed, ...moved, writes: all, updates });
  });

  test.concurrent('reaches the service also while the record cannot be read', async () => {
    const held = await holdAt(scene, 'after createTransfer');
    const { letRead } = await unread(held);
    const answer = 'The service was asked to accelerate transaction UUID.';
    expect(await told(held, controls.accelerate(held.id))).toBe(answer);
    await letRead();
    await letGo(scene, held);
    const writes = ['createTransfer', 'accelerateTransaction'];
    const updates = ['accelerate'];
    expect(await seen(scene, held)).toEqual({ ...completed, ...transferred, writes, updates });
  });

  test.concurrent('that comes too late says so, and the order ends', async () => {
    const held = await holdAt(scene, 'after createTransfer');
    const { letRead } = await unread(held);
    await settleStuck(scene, held, [await stuckOf(scene, held)]);
    const answer = await told(held, controls.accelerate(held.id));
    expect(answer).toMatch(/^The transfer of .* is not accelerated: /);
    await letRead();
    await ended(scene, held);
    const updates = ['accelerate (refused)'];
    expect(await seen(scene, held)).toEqual({ ...completed, ...transferred, updates });
  });
});
