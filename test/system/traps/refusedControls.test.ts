import { setUp } from '../../support/jest/setUp';
import {
  byName,
  completed,
  controlsOf,
  deployed,
  minted,
  nothing,
  reason,
  targetOf,
  told,
  wholeOf,
} from '../../support/traps/controls';
import {
  ended,
  eventsOf,
  holdAll,
  holdAt,
  letGo,
  type Stage,
  seen,
  seenAs,
  wake,
} from '../../support/traps/held';
import { startScene } from '../../support/traps/scene';

const scene = setUp(() => startScene());
const controls = setUp(async () => controlsOf(scene));
beforeAll(() => holdAll(scene));

const isUnderWay = 'id: ID is still under way. Decide an unknown write with "steadfast resolve".';

describe('a control that does not fit', () => {
  const running = { execution: 'RUNNING', updates: [] };
  const before = { ...running, shown: 'NeedsOperator', ...nothing };
  const after = { ...running, shown: 'Settling', ...nothing };
  test.concurrent.each<[stage: Stage, stands: object]>([
    ['before createTransfer', before],
    ['after createTransfer', { ...after, writes: ['createTransfer'] }],
    ['before deployTemplate', before],
    ['after deployTemplate', { ...after, writes: ['deployTemplate'] }],
    ['before executeContract', { ...before, ...deployed }],
    ['after executeContract', { ...after, ...deployed, writes: minted.writes }],
  ])('%s is refused with a reason, and changes nothing', async (stage, stands) => {
    const held = await holdAt(scene, stage);
    const { id } = held;
    const shown = stage.startsWith('before') ? 'NeedsOperator' : 'Settling';
    const target = targetOf(stage);
    expect(await seenAs(scene, held, shown)).toEqual(stands);
    const noDoubt = `target: ${target} does not wait for a finding. None does now.`;
    const isRefused = async (name: 'resume' | 'accelerate' | 'resolve', reason: string) => {
      const finding = { target, finding: 'noEffect', evidence: 'I looked' };
      expect(await told(held, controls[name](id, target))).toBe(reason);
      expect(await told(held, byName(scene, held, [name, finding]))).toBe(reason);
    };
    await isRefused('resume', 'The order is not paused.');
    await isRefused('resolve', noDoubt);
    if (shown === 'NeedsOperator') await isRefused('accelerate', nothingSettles);
    expect(await told(held, controls.resubmit(id))).toBe(isUnderWay);
    for (const [update, args, reason] of malformed) {
      expect([update, args, await told(held, byName(scene, held, [update, ...args]))]).toEqual([
        update,
        args,
        reason,
      ]);
    }
    await wake(scene, held);
    expect(await seenAs(scene, held, shown)).toEqual(stands);
    await letGo(scene, held);
    const updates: string[] = [];
    expect(await seen(scene, held)).toEqual({ ...completed, ...wholeOf(stage), updates });
  });

  const nothingSettles = 'No transaction of this order settles now, so none can be accelerated.';
  const noReason = 'reason: is missing. Say why, for whoever reads this later.';
  const shape =
    'Give {"target": "<step>/<item>#<generation>", "finding": "completed", "evidence": "…"}.';
  const target = 'transfer/1#0';
  const malformed: [update: string, args: unknown[], reason: string][] = [
    ['pause', [], noReason],
    ['pause', [null], noReason],
    ['pause', ['they called'], noReason],
    ['pause', [{ reason: '  ' }], noReason],
    ['cancel', [], noReason],
    ['cancel', [{}], noReason],
    ['cancel', [{ reason: 5 }], noReason],
    ['resume', [], 'The order is not paused.'],
    ['resolve', [], shape],
    ['resolve', ['it is done'], shape],
    ['resolve', [{ finding: 'noEffect', evidence: 'I looked' }], `target: is missing. ${shape}`],
    [
      'resolve',
      [{ target, finding: 'maybe', evidence: 'I looked' }],
      'finding: "maybe" must be one of completed, noEffect, retry, skip.',
    ],
    [
      'resolve',
      [{ target, finding: 'noEffect' }],
      'evidence: is missing. Say how it is known, for whoever reads this later.',
    ],
    [
      'resolve',
      [{ target, finding: 'completed', evidence: 'I looked' }],
      'evidence: "I looked" must be the id of the transaction, or its hash (0x…).',
    ],
    ['stop', [{ reason: 'they called' }], 'No registered handler for update: stop'],
  ];
});

describe('a control of an order that has ended', () => {
  const isOver = 'id: ID is not under way any more.';
  const isCompleted = 'id: ID is completed. There is nothing to retry.';
  const cameToNothing =
    'id: ID ended without a transaction that failed. ' +
    'Start a refused order again as it is. A cancelled or rejected one that has sent nothing may ' +
    'have an id of its own. `payout continue` pays what is left of a payout.';
  test.concurrent.each<[end: string, stage: Stage, resubmitted: string]>([
    ['completed', 'after createTransfer', isCompleted],
    ['completed', 'after executeContract', isCompleted],
    ['cancelled', 'before createTransfer', cameToNothing],
    ['cancelled', 'before executeContract', cameToNothing],
  ])('as %s %s is refused in one sentence', async (end, stage, resubmitted) => {
    const held = await holdAt(scene, stage);
    if (end === 'cancelled') await controls.cancel(held.id);
    await (end === 'cancelled' ? ended(scene, held) : letGo(scene, held));
    const was = await seen(scene, held);
    const { length } = await eventsOf(scene, held);
    for (const name of ['pause', 'resume', 'cancel', 'accelerate', 'resolve'] as const) {
      expect(await told(held, controls[name](held.id, targetOf(stage)))).toBe(isOver);
      const named = byName(scene, held, [name, { reason }]);
      expect(await told(held, named)).toBe('workflow execution already completed');
    }
    const signalled = scene.orders.client.workflow.getHandle(held.id).signal('wake');
    expect(await told(held, signalled)).toBe('workflow execution already completed');
    expect(await told(held, controls.resubmit(held.id))).toBe(resubmitted);
    expect(await seen(scene, held)).toEqual(was);
    expect(await eventsOf(scene, held)).toHaveLength(length);
  });

  test.concurrent.each<[stage: Stage]>([
    ['after createTransfer'],
    ['after deployTemplate'],
    ['after executeContract'],
  ])('cancelled %s is retried once', async (stage) => {
    const held = await holdAt(scene, stage);
    await controls.cancel(held.id);
    await ended(scene, held);
    const { runId } = await controls.resubmit(held.id);
    expect(await told(held, controls.resubmit(held.id))).toBe(isUnderWay);
    const again = { ...held, runId };
    await letGo(scene, again);
    const { writes, ...moved } = wholeOf(stage);
    const anew = stage === 'after executeContract' ? ['executeContract'] : writes;
    const updates: string[] = [];
    expect(await seen(scene, again)).toEqual({ ...completed, ...moved, writes: anew, updates });
  });
});
