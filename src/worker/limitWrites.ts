import type { PolicyTold } from '../client/account/told';
import type { CustodyConfig } from '../config';
import type { CustodyApi } from '../custody/endpoints';
import { outcomeOf } from '../custody/outcome';
import { wordOf } from '../custody/reference';
import { log } from '../log';
import type { OrderKind, ReadOrder } from '../orders/kinds';
import { ConfigError } from '../variables';
import { claiming, unlessClaimed } from '../writer/claim';
import { type Explain, explainWrites, paperWrites } from '../writer/explain';
import { otherAccountFault } from '../writer/file/otherAccount';
import type { Policy } from '../writer/file/policy';
import { readPolicyFile } from '../writer/file/readPolicy';
import { usualFeeWords } from '../writer/file/usualFee';
import { knowledgeOf } from '../writer/knowledge';
import type { Ledger, WriteEnd } from '../writer/ledger/ledger';
import { ledgerAt } from '../writer/ledger/ledgerAt';
import { checkingOf } from '../writer/payees/checking';
import { signatoryOf } from '../writer/people/signatory';
import { type Withdraw, withdrawing } from '../writer/people/withdrawing';
import { type PolicedOptions, policed } from '../writer/policed';
import { keepSettling } from './keepSettling';
import { refuseUnsigned } from './refuseUnsigned';
import { shownOn, unpaidOn } from './shownOn';
import type { AuthorityConfig } from './workerConfig';

/** The client of a writer, and the ledger behind it. */
export type LimitedClient = {
  api: CustodyApi;
  ledger: Ledger | undefined;
  /** Settles the reservations of the ledger until the signal. */
  settle?: (how: { signal: AbortSignal }) => Promise<void>;
  /** Tells the policy's word about an order that is not sent. */
  explain?: Explain;
  /** Without a policy: throws while a ledger has the account. */
  check?: () => Promise<void>;
  /** Keeps the withdrawals of what was signed. */
  withdraw?: Withdraw;
  /** Tells the policy of this writer, and whether a newer one is in force. */
  standing?: () => Promise<PolicyTold>;
};

/**
 * Puts the policy in front of a client that signs. Without a policy, a test network is open, unless
 * a ledger has the account. A main network is refused by the configuration before.
 */
export async function limitWrites(
  api: CustodyApi,
  custody: CustodyConfig & Pick<AuthorityConfig, 'replaces'>,
  authority: (AuthorityConfig & Pick<PolicedOptions, 'namespace' | 'clock'>) | undefined,
): Promise<LimitedClient> {
  if (custody.entitySecret === undefined) return { api, ledger: undefined };
  if (authority === undefined) return openClient(api, custody);
  const { blockchain, keyLifetimeMs, lookupGraceMs: graceMs, chainRpcUrl } = custody;
  const { policyPath, ledgerPlace, replaces, ...place } = authority;
  const policy = readPolicyFile(policyPath, { blockchain });
  refuseUnsigned(policy, blockchain);
  await refuseOtherAccount(api, policy);
  const ledger = await openedLedger(policy, ledgerPlace, keyLifetimeMs);
  await refuseUnknowing(ledger, policy);
  const { version, digest } = policy;
  log.info({ version, digest, ledger: ledger.id }, 'The policy decides what this worker sends.');
  for (const { id, maxFee } of policy.limits) {
    if (maxFee?.isUsual) log.warn({ rule: id }, `The rule ${id}: ${usualFeeWords(maxFee)}`);
  }
  const isWithoutEffect = (error: unknown): boolean =>
    outcomeOf(error, { write: true, attempt: 1 }).effect === 'none';
  const claim = claiming(api, { ledger, replaces });
  const onChain = chainRpcUrl !== undefined && {
    unpaidIn: unpaidOn(chainRpcUrl),
    chain: shownOn(chainRpcUrl, { custody: api, ledger, blockchain }),
  };
  const decided = { policy, ledger, blockchain, graceMs, isWithoutEffect, claim, alarm };
  const options = { ...place, ...decided, ...onChain };
  const limited = policed(api, options);
  return {
    api: limited,
    ledger,
    settle: (how) => keepSettling({ api: limited, ledger, graceMs }, how),
    explain: explaining(api, options),
    withdraw: withdrawing(api, options),
    standing: () => standingOf(policy, ledger),
  };
}

/** The policy of a writer, and the reason why it sends nothing by it. */
async function standingOf(policy: Policy, ledger: Ledger): Promise<PolicyTold> {
  const { version, digest } = policy;
  const fault = await ledger.policyFault(policy);
  return { version, digest, ...(fault === undefined ? {} : { fault }) };
}

function explaining(api: CustodyApi, options: PolicedOptions): Explain {
  const { policy, blockchain, ledger } = options;
  const checking = checkingOf({ ...options, ...knowledgeOf(api, options) });
  return (kind, order, resolved) =>
    explainWrites(policy, blockchain, {
      kind,
      writes: paperWrites(kind, order, resolved),
      requester: signerIn(policy, order),
      ledger,
      checking,
    });
}

/** The person who has signed an order, as far as its request tells. */
function signerIn(policy: Policy, { request }: ReadOrder<OrderKind>): string | undefined {
  try {
    return request && signatoryOf(policy, request, 'request').person;
  } catch {
    return undefined;
  }
}

/** Money of which an operator or the service had said that it was not sent. */
function alarm({ transactionId, ...write }: WriteEnd): void {
  const reference = wordOf(write);
  const words = 'A write had an effect, and an operator or the service had said that it had none.';
  log.error({ transactionId, reference }, words);
}

function openClient(
  api: CustodyApi,
  { baseUrl, replaces }: Parameters<typeof limitWrites>[1],
): LimitedClient {
  const words = 'No policy (STEADFAST_POLICY_FILE): anyone who reaches Temporal may pay anything.';
  log.warn({ baseUrl }, words);
  return { ...unlessClaimed(api, { replaces }), ledger: undefined };
}

/** Refuses a policy of another account. */
async function refuseOtherAccount(api: CustodyApi, policy: Policy): Promise<void> {
  // A service that does not answer tells nothing. The worker then starts, and its writes wait.
  const fault = await otherAccountFault(api, policy).catch(() => undefined);
  if (fault !== undefined) throw new ConfigError(`STEADFAST_POLICY_FILE: ${fault}`);
}

/** Refuses checks of a policy for which the ledger does not know who was paid. */
async function refuseUnknowing(ledger: Ledger, { checks }: Policy): Promise<void> {
  const [rule] = checks;
  if (rule === undefined || (await ledger.keepsPayees())) return;
  throw new ConfigError(
    `STEADFAST_POLICY_FILE: the rule ${rule.id} needs to know who was paid, and this ledger was ` +
      'made by a version that did not keep it. Set STEADFAST_LEDGER to a new file, and ' +
      `STEADFAST_LEDGER_REPLACES=${ledger.id}.`,
  );
}

/** Opens the ledger, and puts the policy in force: older writers wait from now on. */
async function openedLedger(policy: Policy, place: string, keyLifetimeMs: number): Promise<Ledger> {
  try {
    const ledger = await ledgerAt(place, { keyLifetimeMs });
    const words = await ledger.putInForce(policy);
    if (words !== undefined) log.warn(`${words} Until then this worker sends nothing.`);
    return ledger;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ConfigError(`STEADFAST_LEDGER: ${reason}`);
  }
}
