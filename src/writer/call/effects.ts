import { BadOrderError } from '../../orders/input/read';
import type { PolicyMoney } from '../file/policy';

/**
 * A wallet by both of its names, in lower case, and the type of its account. Where nobody has told
 * the type, no batch and no memo of the wallet is understood.
 */
export type PayingWallet = { id: string; address: string; accountType?: string | undefined };

/** One thing that a signed call brings about. Addresses are in lower case. */
export type CallEffect =
  | {
      kind: 'money';
      money: PolicyMoney;
      /** In the decimals of a policy. Rounded up. */
      amount: bigint;
      to: string;
    }
  | { kind: 'call'; contract: string; data: `0x${string}` }
  | { kind: 'deployment'; recipients: readonly string[] };

/** Reads what a call carries. A fault of it is one of the call. */
export function understood<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof BadOrderError) throw new NotUnderstood(error.message);
    throw error;
  }
}

/** A call that has no form in which a policy can judge it. Nothing was sent. */
export class NotUnderstood extends Error {
  override readonly name = 'NotUnderstood';
  /** The places of the payments of a batch that are the reason. The others may be sent. */
  readonly apart: readonly number[];

  constructor(message: string, { apart = [] }: { apart?: readonly number[] } = {}) {
    super(message);
    this.apart = apart;
  }
}
