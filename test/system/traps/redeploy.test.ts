import { RefusedError } from '../../../src/custody/errors';
import { bundleChanged } from '../../support/histories/changedWorkflows';
import { setUp } from '../../support/jest/setUp';
import { carryOut, intendedBy, movedBy, type Placed, place } from '../../support/traps/carryOut';
import { newTransfer } from '../../support/traps/flows';
import { startScene, type Trouble, until } from '../../support/traps/scene';

const scene = setUp(() => startScene());
beforeAll(() => scene.change({ keyLifetimeMs: 0 }));
beforeEach(() => scene.orders.restart());

/** The workflow with an extra step before its send. A patch as condition limits it to new runs. */
function withStep(condition: string) {
  const file = 'transferStablecoin.ts';
  return bundleChanged([
    {
      file,
      from: 'import { workflowOf }',
      to: "import { patched, sleep } from '@temporalio/workflow';\nimport { workflowOf }",
    },
    {
      file,
      from: '  const receipt = await transfer(',
      to: `  if (${condition}) await sleep(1);\n  const receipt = await transfer(`,
    },
  ]);
}

/** Blocks all transfers of a wallet until the test lets them through. */
function held(): { trouble: Trouble; letThrough: () => void } {
  let isHeld = true;
  const trouble: Trouble = async (input, { forward }) => {
    if (isHeld) throw new RefusedError('no such key', { status: 401, code: 156007 });
    return forward(input);
  };
  return {
    trouble,
    letThrough: () => {
      isHeld = false;
    },
  };
}

/** Places one order whose transfer settles later, and one whose transfer is blocked. */
async function placeTwo() {
  await scene.change({ settleMs: 600_000 });
  const { trouble, letThrough: letOne } = held();
  const settling = await place(scene, { name: 'settling', prepare: () => newTransfer(scene) });
  const waiting = await place(scene, {
    name: 'waiting',
    prepare: () => newTransfer(scene, trouble),
  });
  await until(scene.orders, settling, ({ status }) => status === 'Settling');
  await until(scene.orders, waiting, ({ status }) => status === 'NeedsOperator');
  const letThrough = () => {
    letOne();
    return scene.change({ settleMs: 500 });
  };
  return { settling, waiting, letThrough };
}

async function expectPaidOnce(placed: Placed): Promise<void> {
  await scene.orders.client.workflow.getHandle(placed.id).result();
  expect(movedBy(placed, await scene.logs())).toEqual(intendedBy(placed));
}

describe('workers that are replaced while orders run', () => {
  test('by a build with another step behind a patch: each order goes on from its place', async () => {
    const { settling, waiting, letThrough } = await placeTwo();
    await scene.orders.restart(await withStep("patched('another step')"));
    const started = await place(scene, { name: 'new', prepare: () => newTransfer(scene) });
    await letThrough();
    for (const placed of [settling, waiting, started]) await expectPaidOnce(placed);
  });

  test('by a build with another step and no patch: orders stop, and go on with the old build', async () => {
    // A bundle takes seconds. Meanwhile the old build would ask for the transfer once more.
    const withoutPatch = await withStep('patched.length > 0');
    const { settling, waiting, letThrough } = await placeTwo();
    await scene.orders.restart(withoutPatch);
    await letThrough();
    for (const placed of [settling, waiting]) {
      await expect(carryOut(scene, placed, placed.runId)).rejects.toThrow('is stuck');
    }
    const { transfers } = movedBy(waiting, await scene.logs());
    expect(transfers).toBe(0);
    await scene.orders.restart();
    for (const placed of [settling, waiting]) await expectPaidOnce(placed);
  });
});
