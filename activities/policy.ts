import { WithheldError } from '../src/custody/errors';
import type { Signed } from '../src/orders/input/signed';
import type { Resolved } from '../src/orders/kind';
import { isKind, type OrderKind, type ReadOrder, readOrderOf } from '../src/orders/kinds';
import { stop } from './failure';

/** The word of this process's policy about each write of an order, by its path. */
export type Explain = (
  kind: OrderKind,
  order: ReadOrder<OrderKind>,
  resolved: Resolved,
) => Promise<{ path: string; words: string }[]>;

/** A withdrawal that a writer has verified and kept: whose it is, and of what. */
export type KeptWithdrawal = {
  person: string;
  order: string;
  lines?: string[] | undefined;
  signedUntil: string;
  /** The moment up to which it reaches. It is that of its signer, or a later one. */
  until: string;
};

/** Keeps the withdrawal of a request in the ledger of this process. */
export type Withdraw = (signed: Signed) => Promise<KeptWithdrawal>;

/** The policy of a process with the role writes, where it has one. */
export type PolicySettings = {
  explain?: Explain | undefined;
  withdraw?: Withdraw | undefined;
};

export function policyActivities({ explain, withdraw }: PolicySettings) {
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
