import type { PartOptions } from '../../parts';
import type { Results } from '../results';
import { startService } from '../startService';
import { startGround, workflowBundle } from '../steadfast';
import { inRounds } from './options';

type Part = Required<Results>['startUp'];

/** Measures a worker's start, with workflows that it bundles itself and with a ready bundle. */
export async function measureStartUp(
  options: PartOptions,
): Promise<Pick<Part, 'bundlingMs' | 'bundledMs'>> {
  await workflowBundle();
  const service = await startService({ settleMs: 0 });
  const time = async (env: Record<string, string>): Promise<number> => {
    const ground = await startGround(service, { env });
    await ground.leave();
    return ground.workerReadyMs;
  };
  try {
    const rounds = await inRounds(options, 'start of a worker', async () => ({
      // An empty variable is one that is not set.
      bundling: await time({ STEADFAST_WORKFLOW_BUNDLE: '' }),
      bundled: await time({}),
    }));
    return {
      bundlingMs: rounds.map(({ bundling }) => bundling),
      bundledMs: rounds.map(({ bundled }) => bundled),
    };
  } finally {
    await service.stop();
  }
}
