import { readWithdrawal, type WithdrawalStatement } from '../../authority/statement';
import type { CustodyApi } from '../../custody/endpoints';
import { WithheldError } from '../../custody/errors';
import type { Signed } from '../../orders/input/signed';
import { NotUnderstood, understood } from '../call/effects';
import type { Policy } from '../file/policy';
import type { Ledger } from '../ledger/ledger';
import { keysOf, type Place, personOf, refuseForeign } from './requester';

type Options = Omit<Place, 'entity'> & { policy: Policy; ledger: Ledger };

/**
 * Keeps withdrawals of requests. Their signatures alone decide, whoever hands them over. Throws a
 * WithheldError for one that nobody in the policy has signed, or that is for another place.
 */
export function withdrawing(
  custody: Pick<CustodyApi, 'getEntityConfig'>,
  { policy, ledger, namespace, blockchain }: Options,
) {
  return async (signed: Signed): Promise<WithdrawalStatement & { person: string }> => {
    // The names in an older policy may stand for other people.
    const stale = await ledger.putInForce(policy);
    if (stale !== undefined) throw new WithheldError(stale, { next: 'again' });
    const entity = (await custody.getEntityConfig({})).appId;
    try {
      const statement = understood(() => readWithdrawal(signed.statement));
      const person = personOf(policy, signed, 'rejection');
      refuseForeign(statement, { entity, namespace, blockchain }, 'withdrawal');
      const { order, lines, signedUntil } = statement;
      const { signature } = signed;
      const untilMs = Date.parse(signedUntil);
      const publicKeys = keysOf(policy, person);
      await ledger.withdraw({ order, lines, publicKeys, untilMs, signature });
      return { ...statement, person };
    } catch (error) {
      if (!(error instanceof NotUnderstood)) throw error;
      throw new WithheldError(error.message, { next: 'stop' });
    }
  };
}
