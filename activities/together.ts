import { ApplicationFailure, Context } from '@temporalio/activity';
import { isUnlimited } from '../src/client/temporal/queueRate';
import { remembering } from '../src/custody/sharing';
import { askTemporal } from './ownRun';

/** The outcome of one of several attempts, as its own activity would have told it. */
export type Attempted<Accepted> =
  | { kind: 'accepted'; accepted: Accepted }
  | { kind: 'stopped'; failure: { type: string; message: string; details: unknown } }
  /** It was not begun, since this queue hands out calls one by one. */
  | { kind: 'left' };

/** Temporal takes some seconds to keep another limit. */
const remembered = remembering<boolean>({ ms: 1_000 });

type Making<Write, Accepted> = {
  /** The limit that this worker itself was started with. Undefined is none. */
  perSecond: number | undefined;
  attempt: (write: Write) => Promise<Accepted>;
};

/**
 * Makes one attempt at each of several writes, all at the same time. Temporal limits a queue by its
 * activities, so that under a limit only the first one is made.
 */
export async function together<Write, Accepted>(
  writes: readonly Write[],
  { perSecond, attempt }: Making<Write, Accepted>,
): Promise<Attempted<Accepted>[]> {
  const mayAll = perSecond === undefined && mayAllBegin();
  return Promise.all(
    writes.map(async (write, at): Promise<Attempted<Accepted>> => {
      if (at > 0 && !(await mayAll)) return { kind: 'left' };
      try {
        return { kind: 'accepted', accepted: await attempt(write) };
      } catch (error) {
        return { kind: 'stopped', failure: told(error) };
      }
    }),
  );
}

/** The failure as a workflow reads it. An error of another type does not say what was accepted. */
function told(error: unknown) {
  if (error instanceof ApplicationFailure) {
    const { type, message, details } = error;
    return { type: type ?? error.name, message, details: details?.[0] };
  }
  const { name, message } = error instanceof Error ? error : new Error(String(error));
  return { type: name, message, details: undefined };
}

/** True if Temporal says that nobody limits this queue, neither workers nor a command. */
async function mayAllBegin(): Promise<boolean> {
  const { namespace, taskQueue } = Context.current().info;
  const key = JSON.stringify([namespace, taskQueue]);
  try {
    return await remembered(key, () => askTemporal((client) => isUnlimited(client, taskQueue)));
  } catch {
    return false;
  }
}
