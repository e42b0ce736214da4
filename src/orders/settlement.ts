/** What every settled transaction leaves in its receipt. */
export type Settlement = {
  transactionId: string;
  state: 'COMPLETE';
  txHash: string;
  blockHeight: number | undefined;
  /** In the native coin, decimal. */
  networkFee: string | undefined;
  /** The idempotency key it was sent under. */
  key: string;
  settledAt: string;
  /** How often the service was asked before it had settled. */
  looks: number;
};
