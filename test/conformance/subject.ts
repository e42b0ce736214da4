import type { CustodyApi, EndpointName, Input } from '../../src/custody/endpoints';

/** A custody service as the suite meets it, whatever stands between them. */
export type Subject = {
  api: CustodyApi;
  /** What only a sandbox has; undefined on the hosted service. */
  sandbox: Rig | undefined;
  stop(): Promise<void>;
};

/** The chain to hold answers against, and a say in what becomes of a transfer. */
export type Rig = {
  rpcUrl: string;
  /** Accepts a transfer that will be STUCK, its fee being too low. */
  transferThatSticks(input: Input<'createTransfer'>): Promise<{ id: string }>;
  /** Changes settings of the sandbox. */
  change(settings: object): Promise<void>;
};

/** One of the ways to reach the service. */
export type Way = {
  name: string;
  /** Without, only what moves no money and costs nothing is run. */
  hasFunds: boolean;
  /** Endpoints that cannot be reached this way. */
  lacks: readonly EndpointName[];
  start(): Promise<Subject>;
};

/** What the parts of the suite are given. */
export type Given = {
  /** Known once the tests run. */
  subject(): Subject;
  /** As `describe`, and skipped where the way has no funds. */
  describeFunded: (name: string, about: () => void) => void;
  lacks: readonly EndpointName[];
};

/** The sandbox behind the subject; tests that need one only run where there is one. */
export function rigOf(given: Given): Rig {
  const { sandbox } = given.subject();
  if (sandbox === undefined) throw new Error('This service is not a sandbox.');
  return sandbox;
}
