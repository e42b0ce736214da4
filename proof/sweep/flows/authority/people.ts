import { setTimeout as sleep } from 'node:timers/promises';
import { createSteadfast, type Steadfast } from '../../../../src/client/client';
import type { Signed } from '../../../../src/orders/input/signed';
import type { Lane } from '../../lane';
import { blockchain } from '../wallets';
import { type Person, signerOf } from './keys';

const lookMs = 100;
const approvers = ['ann', 'bo'] as const;
/** Nobody waits longer for a moment to act in. */
const waitMsMax = 150_000;

/** The client of a backend that signs each order that it starts. */
export async function signingClient(lane: Lane): Promise<Steadfast> {
  const { appId: entity } = await lane.custody.getEntityConfig({});
  const signing = { sign: signerOf('backend'), entity, blockchain };
  return createSteadfast({ client: lane.caller, taskQueue: 'steadfast', signing });
}

/** The people beside an order. They look at it past the gate, and decide through it. */
export type People = {
  /** Waits until the order has ended, or until so many people have approved what it asks for. */
  untilGiven(count: number): Promise<void>;
  /** Signs what the order asks for, and has the order know. Nothing if it has ended. */
  decide(name: Person, purpose: 'approval' | 'rejection'): Promise<void>;
  /** Each of them approves whatever they are asked for, and twice, until it has ended. */
  approveAll(): Promise<void>;
  /** Says that an attempt had no effect which a killed worker was making. It is verified. */
  mend(): Promise<void>;
  /** Says the same of an order that is not wanted. It ends only once it is cancelled. */
  giveUp(): Promise<void>;
};

export function peopleBeside(lane: Lane, id: string): People {
  const observing = createSteadfast({ client: lane.observer, taskQueue: '' });
  const asksNow = async () => (await observing.status(id)).progress?.approvals?.[0];
  const hasEnded = async (): Promise<boolean> =>
    (await lane.observer.workflow.getHandle(id).describe()).status.name !== 'RUNNING';
  const until = async (isSo: () => Promise<boolean>): Promise<void> => {
    for (const endMs = Date.now() + waitMsMax; Date.now() < endMs; await sleep(lookMs)) {
      if (await isSo().catch(() => false)) return;
      if (await hasEnded().catch(() => false)) return;
    }
  };
  const decide: People['decide'] = async (name, purpose) => {
    let signed: Signed | undefined;
    await until(async () => {
      const asks = await asksNow();
      signed = asks && (await signerOf(name)(asks.statement, purpose));
      return signed !== undefined;
    });
    if (signed === undefined) return;
    const given = signed;
    const tell = purpose === 'approval' ? lane.steadfast.approve : lane.steadfast.reject;
    // A call whose answer is lost is repeated. One signature counts once.
    await until(() => tell(id, given).then(() => true));
  };
  const mend = async (before: () => Promise<unknown> = async () => {}): Promise<void> => {
    const { status, target } = (await observing.status(id)).progress ?? {};
    if (status !== 'Unknown' || target === undefined) return;
    await before();
    const finding = { target, finding: 'noEffect', evidence: 'its worker was killed' } as const;
    await lane.steadfast.resolve(id, finding);
  };
  return {
    decide,
    untilGiven: (count) => until(async () => ((await asksNow())?.given.length ?? -1) >= count),
    approveAll: () =>
      until(async () => {
        const asks = await asksNow();
        const name = approvers.find((one) => asks && !asks.given.includes(one));
        if (name === undefined) return false;
        await decide(name, 'approval');
        await decide(name, 'approval');
        return false;
      }),
    mend: () => mend(),
    giveUp: () => mend(() => lane.steadfast.cancel(id, 'rejected')),
  };
}
