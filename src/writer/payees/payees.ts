/** A payment that a write makes. Its address is in lower case, its amount in policy decimals. */
export type KeptPayment = {
  to: string;
  money: string;
  amount: bigint;
  /** The mark of the line of a payment in a batch. */
  mark?: string | undefined;
};

/** A payment of the account, as the ledger knows it. */
export type KnownPayment = Omit<KeptPayment, 'mark'> & {
  /** The order's workflow id, or the service's id of a transaction of others. */
  orderId: string;
  /** Undefined while it is under way. */
  atMs: number | undefined;
};

/** All that a ledger knows of some payees. */
export type KnownPayees = {
  payments: KnownPayment[];
  /** Known addresses that look like one of the payees. */
  alike: string[];
  /** The number of payments to these payees that were let out or seen. */
  seen: number;
};

/** The ledger's memory of whom the account has paid. */
export type PayeeMemory = {
  /** Tells what it knows of the payees of payments. The write of this hash is left out. */
  payees(payments: readonly KeptPayment[], hash: string): Promise<KnownPayees>;
  /** True if it has kept every payment since it was made. */
  keepsPayees(): Promise<boolean>;
};
