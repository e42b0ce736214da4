/** The possible results of a comparison of orders, service, chain and archive, of one payment. */
export const classes = [
  'matched',
  'in flight',
  'missing on chain',
  'missing here',
  'ours but forgotten',
  'amount differs',
  'paid twice',
  'called failed',
  'cannot be read',
  'fee without effect',
  'moved by somebody else',
  'inbound',
  'unlisted inbound',
  'false log',
] as const;
export type Class = (typeof classes)[number];

/** Classes that a person has to look at. The others explain themselves. */
export const troubles: readonly Class[] = [
  'missing on chain',
  'missing here',
  'amount differs',
  'paid twice',
  'called failed',
  'cannot be read',
  'moved by somebody else',
];

/** One row of a reconciliation: its class, the reason, and where it stands. */
export type ReconcileRow = {
  class: Class;
  /** The difference as a sentence. A match has one if it was found without its hash. */
  why?: string;
  order?: string;
  line?: string;
  reference?: string;
  transactionId?: string;
  txHash?: string;
  logIndex?: number;
  block?: number;
  wallet?: string;
  counterparty?: string;
  token?: string;
  amount?: string;
};

/** A row that was read back, whose absent fields may be there as undefined. */
type Shown = { [Field in keyof ReconcileRow]: ReconcileRow[Field] | undefined };

/** The payment of a row in words: its order, what went from whom to whom, and where it stands. */
export function paymentInWords(row: Shown): string {
  const { class: own, order, line, amount, token, wallet, counterparty, txHash, logIndex } = row;
  const isInward = own === 'inbound' || own === 'unlisted inbound';
  const sides = isInward ? [counterparty, wallet] : [wallet, counterparty];
  const [payer, payee] = sides;
  const facts = [
    order === undefined ? undefined : `${order}${line === undefined ? '' : ` line ${line}`}`,
    amount === undefined ? undefined : `${amount} ${token}`,
    payer === undefined ? undefined : `from ${payer}`,
    payee === undefined ? undefined : `to ${payee}`,
    txHash === undefined ? row.transactionId : `in ${txHash}`,
    logIndex === undefined ? undefined : `log ${logIndex}`,
  ];
  return facts.filter((fact) => fact !== undefined).join(' ');
}

export type ClassCounts = Record<Class, number>;

export const noCounts: ClassCounts = {
  matched: 0,
  'in flight': 0,
  'missing on chain': 0,
  'missing here': 0,
  'ours but forgotten': 0,
  'amount differs': 0,
  'paid twice': 0,
  'called failed': 0,
  'cannot be read': 0,
  'fee without effect': 0,
  'moved by somebody else': 0,
  inbound: 0,
  'unlisted inbound': 0,
  'false log': 0,
};

/** Number of rows that a person has to look at. */
export function troublesIn(counts: ClassCounts): number {
  return troubles.reduce((sum, one) => sum + counts[one], 0);
}

/** The classes that have rows in words, those first that a person has to look at. */
export function countsInWords(counts: ClassCounts): string {
  const inOrder = [...classes].sort((one, other) => urgency(other) - urgency(one));
  const some = inOrder.filter((one) => counts[one] > 0);
  return some.map((one) => `${counts[one]} ${one}`).join(' · ') || 'no payments';
}

function urgency(own: Class): number {
  return troubles.indexOf(own) + 1;
}
