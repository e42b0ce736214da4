import type { temporal } from '@temporalio/proto';
import { carryOut, intendedBy, movedBy, place } from '../support/traps/carryOut';
import { flows } from '../support/traps/flows';
import { boundariesOf, resetTo } from '../support/traps/reset';
import { type Scene, startScene, until } from '../support/traps/scene';

let scene: Scene;
beforeAll(async () => {
  scene = await startScene();
});
afterAll(() => scene.stop());

/** Bodies that a stranger may send. None is believed, whatever it says. */
const bodies: unknown[][] = [
  [],
  [null],
  [{ transactionId: 'aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa', state: 'COMPLETE', txHash: '0xabc' }],
  [{ __proto__: { cancelAsked: true }, constructor: { prototype: { completed: true } } }],
  ['x'.repeat(100_000)],
  [[], 0, false, 'cancel', { opened: { completed: { txHash: '0xabc' } } }],
];

const [transfer] = flows;
if (transfer === undefined) throw new Error('There is no flow of a transfer.');

/** A payload that cannot be read: it says JSON and is none, or says what nobody can decode. */
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

describe('the signal that wakes an order', () => {
  test.concurrent.each(bodies.map((body) => [JSON.stringify(body).slice(0, 40), body] as const))(
    'changes nothing but the time of a look, before, during and after: %s',
    async (_, body) => {
      const placed = await place(scene, transfer);
      const handle = scene.orders.client.workflow.getHandle(placed.id);
      await handle.signal('wake', ...body);
      await until(scene.orders, placed, ({ status }) => status === 'Settling');
      for (let time = 0; time < 5; time++) await handle.signal('wake', ...body);
      expect((await carryOut(scene, placed, placed.runId)).status).toBe('COMPLETED');
      await expect(handle.signal('wake', ...body)).rejects.toThrow('already completed');
      expect(movedBy(placed, await scene.logs())).toEqual(intendedBy(placed));
    },
    100_000,
  );

  test.concurrent.each(unreadable)(
    'stops its order when it cannot be read, until the order is reset without it',
    async (payload) => {
      const placed = await place(scene, transfer);
      await until(scene.orders, placed, ({ status }) => status === 'Settling');
      await signalRaw(placed.id, payload);
      await expect(carryOut(scene, placed, placed.runId)).rejects.toThrow('is stuck');
      const boundary = (await boundariesOf(scene.orders, placed)).at(-1) ?? 0;
      const runId = await resetTo(scene.orders, placed, { boundary, reapply: false });
      expect((await carryOut(scene, placed, runId)).status).toBe('COMPLETED');
      expect(movedBy(placed, await scene.logs())).toEqual(intendedBy(placed));
    },
    100_000,
  );
});
