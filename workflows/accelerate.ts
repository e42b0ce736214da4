import { stopOf, writes } from './custody';
import { type Run, targetOf } from './run';
import { finished } from './show';
import { once, stateOf } from './write';

/**
 * Asks the service to have a transaction settle sooner, where a person wishes so: it pays a higher
 * fee for it. Each wish is asked for under a key of its own, once. How it ends is seen by settling.
 */
export async function accelerateWhenAsked(
  run: Run,
  step: { step: string; item: string; doing: string },
): Promise<void> {
  const { hurry, transactionId } = run.settling ?? {};
  if (hurry === undefined || transactionId === undefined) return;
  const { identity } = stateOf(run, step);
  const { hurries = {} } = run.carried;
  const number = (hurries[transactionId] ?? 0) + 1;
  const parts = {
    ...identity.parts,
    step: 'accelerate',
    item: targetOf(identity.parts),
    generation: number,
  };
  try {
    await once(run, `accelerated ${transactionId} ${number}`, () =>
      writes(`ask to accelerate the ${step.doing}`).accelerateTransaction({
        ...identity,
        // What it moves stays the same if it comes twice, so that it may always be sent.
        ...{ parts, earlierTries: 'clean' as const, bornAtMs: Date.now(), validUntil: undefined },
        transactionId,
      }),
    );
    run.carried.hurries = { ...hurries, [transactionId]: number };
    finished(run, `${step.doing}: the service was asked to accelerate it`);
    hurry.answer(`${transactionId} is to settle sooner.`);
  } catch (error) {
    const stop = stopOf(error);
    if (stop === undefined) throw error;
    hurry.refuse(`The ${step.doing} is not accelerated: ${stop.message}`);
  }
  delete run.settling?.hurry;
}
