import type { CustodyApi, EndpointName, Input } from '../../../../src/custody/endpoints';

/** A custody service under test, over any connection. */
export type Subject = {
  api: CustodyApi;
  /** Parts that only a sandbox has. Undefined on the hosted service. */
  sandbox: Rig | undefined;
  stop(): Promise<void>;
};

/** The chain for comparisons, and control over the end of a transfer. */
export type Rig = {
  rpcUrl: string;
  /** Has a transfer accepted that gets STUCK, since its fee is too low. */
  transferThatSticks(input: Input<'createTransfer'>): Promise<{ id: string }>;
  /** Changes settings of the sandbox. */
  change(settings: object): Promise<void>;
};

/** One of the ways to reach the service. */
export type Way = {
  name: string;
  /** Without funds, only tests that move no money and cost nothing run. */
  hasFunds: boolean;
  /** Endpoints that this way cannot reach. */
  lacks: readonly EndpointName[];
  start(): Promise<Subject>;
};

/** The inputs of each part of the suite. */
export type Given = {
  /** The service. Call this only inside tests. */
  subject(): Subject;
  /** Like `describe`, but skipped when the way has no funds. */
  describeFunded: (name: string, about: () => void) => void;
  lacks: readonly EndpointName[];
};

/** The sandbox behind the subject. Tests that need one run only against a sandbox. */
export function rigOf(given: Given): Rig {
  const { sandbox } = given.subject();
  if (sandbox === undefined) throw new Error('This service is not a sandbox.');
  return sandbox;
}
