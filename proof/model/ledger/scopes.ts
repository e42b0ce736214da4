/** The writes of a world, the generations of each, and how many of them a window lets out. */
export type LedgerScope = {
  name: string;
  writes: number;
  generations: number;
  max: number;
  /** Requests of one key that are on their way at a time. */
  wireMax: number;
  /** So often the ledger is lost, and rebuilt from the list. */
  losses: number;
  /** Payments that somebody else makes from the same wallet. */
  others: number;
  /** Transactions that the service calls FAILED although they pay. */
  lies: number;
  /** The writer has a node of the chain. */
  node: boolean;
};

const small = { generations: 1, wireMax: 1, losses: 0, others: 0, lies: 0, node: false };

export const ledgerScopes: readonly LedgerScope[] = [
  { ...small, name: 'one write', writes: 1, max: 1, wireMax: 2 },
  { ...small, name: 'a lost ledger', writes: 1, max: 1, wireMax: 2, losses: 1 },
  { ...small, name: 'two writes, room for one', writes: 2, max: 1 },
  { ...small, name: 'one write, two generations', writes: 1, generations: 2, max: 1 },
  { ...small, name: 'one write, somebody else pays', writes: 1, max: 1, others: 1 },
  { ...small, name: 'one write, a service that lies', writes: 1, max: 1, lies: 1 },
  { ...small, name: 'two writes, a service that lies', writes: 2, max: 1, lies: 1 },
  { ...small, name: 'two writes, a lie, a node', writes: 2, max: 1, lies: 1, node: true },
  { ...small, name: 'two generations, a lie', writes: 1, generations: 2, max: 2, lies: 1 },
  {
    ...small,
    name: 'a lost ledger, two generations',
    writes: 1,
    generations: 2,
    max: 2,
    losses: 1,
  },
  { ...small, name: 'a lost ledger, room for one', writes: 2, max: 1, losses: 1 },
  { ...small, name: 'two writes, others who pay, room for two', writes: 2, max: 2, others: 2 },
  { ...small, name: 'three writes, room for two', writes: 3, max: 2 },
  { ...small, name: 'two writes, two generations', writes: 2, generations: 2, max: 1, wireMax: 2 },
];
