import { createHash } from 'node:crypto';
import type { CustodyApi } from '../../custody/endpoints';
import { WithheldError } from '../../custody/errors';
import type { KeptWithdrawal, Signed } from '../../orders/input/signed';
import { NotUnderstood, understood } from '../call/effects';
import type { Clock } from '../clock';
import { confirmedTime } from '../confirmedTime';
import type { Policy } from '../file/policy';
import type { Ledger } from '../ledger/ledger';
import { readWithdrawal, type WithdrawalStatement } from '../signing/statement';
import { refuseElsewhere, type StatementPlace } from './requester';
import { datedAheadMaxMs, keysOf, signatoryOf } from './signatory';

type Options = Omit<StatementPlace, 'entity'> & {
  policy: Policy;
  ledger: Ledger;
  clock?: Clock | undefined;
};

/** A withdrawal, its signer, and the moment up to which it reaches. */
type Kept = WithdrawalStatement & { person: string; until: string };

/** Keeps the withdrawal of a request in the ledger of this process. */
export type Withdraw = (signed: Signed) => Promise<KeptWithdrawal>;

/**
 * Keeps withdrawals of requests. Their signatures alone decide, whoever hands them over. Throws a
 * WithheldError for one that nobody in the policy has signed, or that is for another place. Each
 * reaches all requests that could count when it first comes, whatever the clock of its signer says.
 * Handed over again, it reaches no further.
 */
export function withdrawing(
  custody: Pick<CustodyApi, 'getEntityConfig'>,
  { policy, ledger, namespace, blockchain, clock }: Options,
) {
  const confirmedMs = confirmedTime(custody, clock);
  return async (signed: Signed): Promise<Kept> => {
    // The names in an older policy may stand for other people.
    const stale = await ledger.putInForce(policy);
    if (stale !== undefined) throw new WithheldError(stale, { next: 'again' });
    const nowMs = await confirmedMs();
    const entity = (await custody.getEntityConfig({})).appId;
    try {
      const statement = understood(() => readWithdrawal(signed.statement));
      const { person, publicKey } = signatoryOf(policy, signed, 'rejection');
      refuseElsewhere(statement, { entity, namespace, blockchain }, 'withdrawal');
      const { order, lines, signedUntil } = statement;
      const { signature } = signed;
      const latestMs = Math.max(Date.parse(signedUntil), nowMs + datedAheadMaxMs);
      const untilMs = await ledger.withdraw({
        order,
        lines,
        publicKeys: keysOf(policy, person),
        person,
        untilMs: latestMs,
        signature,
        digest: createHash('sha256').update(signed.statement).digest('hex'),
        publicKey,
      });
      return { ...statement, person, until: new Date(untilMs).toISOString() };
    } catch (error) {
      if (!(error instanceof NotUnderstood)) throw error;
      throw new WithheldError(error.message, { next: 'stop' });
    }
  };
}
