import type { PolicyTold } from '../src/client/account/told';
import { WithheldError } from '../src/custody/errors';
import type { KeptWithdrawal, Signed } from '../src/orders/input/signed';
import type { Resolved } from '../src/orders/kind';
import { isKind, readOrderOf } from '../src/orders/kinds';
import type { Explain } from '../src/writer/explain';
import type { Withdraw } from '../src/writer/people/withdrawing';
import { stop } from './failure';

/** The policy of a process with the role writes, where it has one. */
export type PolicySettings = {
  explain?: Explain | undefined;
  withdraw?: Withdraw | undefined;
  standing?: (() => Promise<PolicyTold>) | undefined;
};

export function policyActivities({ explain, withdraw, standing }: PolicySettings) {
  return {
    /** Tells what the policy says about an order, for a dry run. Nothing without a policy. */
    async explainOrder(asked: {
      kind: string;
      order: unknown;
      resolved: Resolved;
    }): ReturnType<Explain> {
      const { kind, order, resolved } = asked;
      if (!isKind(kind)) return [];
      return explain?.(kind, readOrderOf(kind, order), resolved) ?? [];
    },

    /** Tells the policy that this writer goes by, and whether a newer one is in force. */
    async tellPolicy(): Promise<PolicyTold> {
      return (await standing?.()) ?? null;
    },

    /**
     * Keeps the withdrawal of a request, which whoever has a key may hand over at any time.
     * Undefined where no policy decides, so that no request counts.
     */
    async keepWithdrawal(signed: Signed): Promise<KeptWithdrawal | undefined> {
      try {
        return await withdraw?.(signed);
      } catch (error) {
        if (error instanceof WithheldError && error.next === 'stop') {
          throw stop('Refused', error.message);
        }
        throw error;
      }
    },
  };
}
