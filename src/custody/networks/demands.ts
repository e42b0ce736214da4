import { networks } from './networks';

/** The variables of the environment that a network makes demands on. */
type Variables = Partial<Record<string, string>>;

type Given = {
  /** True for a LIVE_ key. Undefined where there is no key that can be read. */
  isLive?: boolean;
  /** True for a process that signs. */
  signs: boolean;
  /** True for a worker that signs or reads. */
  isWorker: boolean;
  variables: Variables;
};

/**
 * The faults of an environment for a network, as sentences. One fault is a key of the other
 * environment. Others are settings that a main network needs. A process without faults may start.
 */
export function faultsFor(blockchain: string, given: Given): string[] {
  if (networks[blockchain] === undefined) return [];
  const { isLive, signs, isWorker, variables } = given;
  const isMain = isMainNetwork(blockchain);
  const key = isLive === undefined || isLive === isMain ? [] : [otherKey(blockchain, isLive)];
  if (!isMain) return key;
  const applies = { all: true, workers: isWorker, writers: signs };
  const missing = demands
    .filter(({ isMet, of = 'all' }) => applies[of] && !isMet(variables))
    .map(({ words }) => words);
  const faults = [...key, ...missing];
  if (faults.length === 0) return [];
  return [`${blockchain} is a main network, where money is real.`, ...faults];
}

/** True for a network where money is real. */
export function isMainNetwork(blockchain: string): boolean {
  return networks[blockchain]?.isMain === true;
}

/** The service has two environments, each with keys and an entity secret of its own. */
function otherKey(blockchain: string, isLive: boolean): string {
  const [has, wants, kind] = isLive
    ? ['LIVE_', 'TEST_', 'a test network']
    : ['TEST_', 'LIVE_', 'a main network'];
  return (
    `CUSTODY_API_KEY: is a ${has} key, and CUSTODY_BLOCKCHAIN is ${blockchain}, ${kind}. ` +
    `Set a ${wants} key, or the network that this key is for.`
  );
}

const isSet =
  (name: string) =>
  (variables: Variables): boolean =>
    Boolean(variables[name]);

/** The demands of a main network, and the processes that they are made of. */
const demands: readonly {
  isMet: (variables: Variables) => boolean;
  of?: 'all' | 'workers' | 'writers';
  words: string;
}[] = [
  {
    isMet: ({ STEADFAST_LIVE }) => STEADFAST_LIVE === '1',
    words: 'STEADFAST_LIVE: is not 1. Set STEADFAST_LIVE=1 if you mean it.',
  },
  {
    isMet: ({ CUSTODY_BASE_URL }) => CUSTODY_BASE_URL?.startsWith('http:') !== true,
    words: 'CUSTODY_BASE_URL: must begin with https://, since http:// shows the key to everybody.',
  },
  {
    isMet: isSet('CUSTODY_PUBLIC_KEY_SHA256'),
    of: 'writers',
    words:
      'CUSTODY_PUBLIC_KEY_SHA256: is not set. It pins the key that encrypts the entity secret, ' +
      'so that only the service can decrypt it. "steadfast doctor" prints the digest.',
  },
  {
    isMet: isSet('STEADFAST_POLICY_FILE'),
    of: 'writers',
    words:
      'STEADFAST_POLICY_FILE: is not set. A writer needs a policy whose limits name signedBy: ' +
      'see docs/tutorial/limit-and-approve.md.',
  },
  {
    isMet: isSet('CHAIN_RPC_URL'),
    of: 'workers',
    words: 'CHAIN_RPC_URL: is not set. A node of the chain has to confirm what the service says.',
  },
];
