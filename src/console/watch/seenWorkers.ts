import type { TemporalToCheck } from '../../health/finding';
import { pollersOf, queuesOf } from '../../health/temporal/pollers';

/** A worker that Temporal has heard of. Temporal forgets it some minutes after its last word. */
export type SeenWorker = {
  purpose: string;
  queue: string;
  identity: string;
  /** The build, where workers tell one. */
  build: string;
  /** Undefined where Temporal does not tell it. */
  heardAt: string | undefined;
};

/** The workers of all queues, by their tasks. */
export async function seenWorkers(asked: TemporalToCheck): Promise<SeenWorker[]> {
  const all = queuesOf(asked).map(async (queue) => {
    const pollers = await pollersOf(asked, queue);
    return pollers.map(({ identity, deploymentOptions, lastAccessTime }) => {
      const { deploymentName, buildId } = deploymentOptions ?? {};
      const seconds = Number(lastAccessTime?.seconds ?? 0);
      return {
        purpose: queue.purpose,
        queue: queue.taskQueue,
        identity: identity ?? '',
        build: [deploymentName, buildId].filter(Boolean).join(' '),
        heardAt: seconds === 0 ? undefined : new Date(seconds * 1_000).toISOString(),
      };
    });
  });
  return (await Promise.all(all)).flat();
}
