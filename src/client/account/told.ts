import { z } from 'zod';

/** The parts of the account as workers tell them. A stranger in Temporal may tell them as well. */
export const walletsTold = z.object({
  wallets: z.array(
    z.object({
      id: z.string(),
      /** The name of its set, and its own one. Empty if it has none. */
      name: z.string(),
      address: z.string(),
      accountType: z.string(),
      state: z.string(),
      /** Amount and token of each balance. A coin with two faces is one row. */
      held: z.array(z.tuple([z.string(), z.string()])),
    }),
  ),
  blockchain: z.string(),
  /** Wallets that are left out, since no page shows so many. */
  left: z.number(),
});
export type WalletsTold = z.output<typeof walletsTold>;

/** Findings about the service, as a worker has made them. */
export const findingsTold = z.array(
  z.object({
    name: z.string(),
    state: z.enum(['fine', 'fixed', 'fault', 'skipped']),
    words: z.string(),
    mend: z.string().optional(),
    belongsTo: z.enum(['configuration', 'operator']).optional(),
  }),
);

/** The policy of a writer. Null where it has none. */
export const policyTold = z
  .object({
    version: z.number(),
    digest: z.string(),
    /** The reason why this writer sends nothing, such as a newer policy. */
    fault: z.string().optional(),
  })
  .nullable();
export type PolicyTold = z.output<typeof policyTold>;

/** A statement as JSON Lines, and in words what was not looked at. */
export const statementTold = z.object({ lines: z.string(), left: z.array(z.string()) });
export type StatementTold = z.output<typeof statementTold>;
