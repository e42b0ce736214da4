import type { temporal } from '@temporalio/proto';
import { setUp } from '../../support/jest/setUp';
import { carryOut, intendedBy, movedBy, type Placed, place } from '../../support/traps/carryOut';
import { type Flow, newTransfer } from '../../support/traps/flows';
import { boundariesOf, resetTo } from '../../support/traps/reset';
import { type Look, startScene, until } from '../../support/traps/scene';

const scene = setUp(() => startScene());

/** Bodies that a stranger may send. The order believes none of them. */
const bodies: unknown[][] = [
  [],
  [null],
  [{ transactionId: 'aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa', state: 'COMPLETE', txHash: '0xabc' }],
  [{ __proto__: { cancelAsked: true }, constructor: { prototype: { completed: true } } }],
  ['x'.repeat(100_000)],
  [[], 0, false, 'cancel', { opened: { completed: { txHash: '0xabc' } } }],
];

const transfer: Flow = { name: 'a transfer', prepare: (given) => newTransfer(given) };

/** Payloads that cannot be read: invalid JSON, or an encoding that nobody can decode. */
const unreadable = ['json/plain', 'binary/encrypted'].map((encoding) => ({
  metadata: { encoding: Buffer.from(encoding) },
  data: Buffer.from('{"transactionId":'),
}));

async function signalRaw(workflowId: string, payload: temporal.api.common.v1.IPayload) {
  await scene.orders.client.workflowService.signalWorkflowExecution({
    namespace: 'default',
    workflowExecution: { workflowId },
    signalName: 'wake',
    input: { payloads: [payload] },
  });
}

/** Orders whose transfers are accepted, and settle when `settle` is called. */
async function placeUnsettled(count: number) {
  await scene.change({ settleMs: 600_000 });
  const all = await Promise.all(Array.from({ length: count }, () => place(scene, transfer)));
  const accepted = async () => {
    const settling = ({ status }: Look) => status === 'Settling';
    await Promise.all(all.map((placed) => until(scene.orders, placed, settling)));
  };
  return { all, accepted, settle: () => scene.change({ settleMs: 500 }) };
}

describe('the signal that wakes an order', () => {
  test('changes only the time of the next poll, in every state and with any body', async () => {
    const { all, accepted, settle } = await placeUnsettled(bodies.length);
    const wake = async () => {
      for (const [index, { id }] of all.entries()) {
        await scene.orders.client.workflow.getHandle(id).signal('wake', ...(bodies[index] ?? []));
      }
    };
    await wake();
    await accepted();
    for (let time = 0; time < 5; time++) await wake();
    await settle();
    const ends = await Promise.all(all.map((placed) => carryOut(scene, placed, placed.runId)));
    expect(ends.map(({ status }) => status)).toEqual(all.map(() => 'COMPLETED'));
    await expect(wake()).rejects.toThrow('already completed');
    const logs = await scene.logs();
    for (const placed of all) expect(movedBy(placed, logs)).toEqual(intendedBy(placed));
  });

  test('stops its order when it cannot be read, until the order is reset without it', async () => {
    const { all, accepted, settle } = await placeUnsettled(unreadable.length);
    await accepted();
    await Promise.all(all.map(({ id }, index) => signalRaw(id, unreadable[index] ?? {})));
    await settle();
    await Promise.all(all.map(healWithoutSignal));
  });
});

async function healWithoutSignal(placed: Placed): Promise<void> {
  await expect(carryOut(scene, placed, placed.runId)).rejects.toThrow('is stuck');
  const boundary = (await boundariesOf(scene.orders, placed)).at(-1) ?? 0;
  const runId = await resetTo(scene.orders, placed, { boundary, reapply: false });
  expect((await carryOut(scene, placed, runId)).status).toBe('COMPLETED');
  expect(movedBy(placed, await scene.logs())).toEqual(intendedBy(placed));
}
