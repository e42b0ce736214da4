import { setUp } from '../../support/jest/setUp';
import { inTemporal } from '../../support/temporal';
import {
  carryOut,
  intendedBy,
  movedBy,
  type Placed,
  place,
  startAgain,
} from '../../support/traps/carryOut';
import { flows } from '../../support/traps/flows';
import { lookAt, startScene } from '../../support/traps/scene';

/** The server deletes a closed run at once, not at its next round. */
const temporal = inTemporal({
  'history.transferProcessorUpdateAckInterval': '"1s"',
  'history.visibilityProcessorUpdateAckInterval': '"1s"',
});
const scene = setUp(() => startScene({ address: temporal.address }));
/** The service forgets each key at once. */
beforeAll(() => scene.change({ keyLifetimeMs: 0 }));

/** Deletes the closed runs of an order, as Temporal does after its retention. */
async function forget({ id }: Placed): Promise<void> {
  const { client } = scene.orders;
  const execution = { workflowId: id };
  for (;;) {
    const known = await lookAt(scene.orders, { id }).catch(() => undefined);
    const list = client.workflow.list({ query: `WorkflowId = '${id}'` });
    const { done: isUnlisted = false } = await list[Symbol.asyncIterator]().next();
    if (known === undefined && isUnlisted) return;
    const request = { namespace: 'default', workflowExecution: execution };
    if (known !== undefined) {
      await client.workflowService.deleteWorkflowExecution(request).catch(() => {});
    }
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

/** Tells if the service has a trace that identifies the order. */
const isTraced = ({ name }: { name: string }): boolean => !name.includes('found to be completed');
const traced = flows.filter(isTraced);

describe('an order that Temporal and the service have forgotten', () => {
  test.concurrent.each(traced.map((flow) => [flow.name, flow] as const))(
    "is found in the service's list when it is started again: %s",
    async (_, flow) => {
      const placed = await place(scene, flow);
      const first = await carryOut(scene, placed, placed.runId);
      expect(first.status).toBe(placed.ends);
      await forget(placed);
      const runId = await startAgain(scene, placed);
      if (flow.name.includes('cancelled after')) {
        // The request to cancel is forgotten too. The record proves that it had no effect.
        const again = await carryOut(scene, { ...placed, act: {} }, runId);
        expect(again).toMatchObject({
          status: 'Failed',
          why: expect.stringContaining('CANCELLED'),
        });
      } else {
        expect(await carryOut(scene, placed, runId)).toEqual(first);
      }
      expect(movedBy(placed, await scene.logs())).toEqual(intendedBy(placed));
    },
  );

  test.concurrent('is done, and not cancelled, when somebody cancels the sequence that has paid', async () => {
    const sequence = flows.find(({ name }) => name === 'a transfer sequence');
    if (sequence === undefined) throw new Error('There is no such flow.');
    const placed = await place(scene, sequence);
    const first = await carryOut(scene, placed, placed.runId);
    await forget(placed);
    const runId = await startAgain(scene, placed);
    const handle = scene.orders.client.workflow.getHandle(placed.id);
    await handle.executeUpdate('cancel', { args: [{ reason: 'a mistake' }] });
    expect(await carryOut(scene, { ...placed, act: {} }, runId)).toEqual(first);
    expect(movedBy(placed, await scene.logs())).toEqual(intendedBy(placed));
  });
});
