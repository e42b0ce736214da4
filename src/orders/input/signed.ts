import { z } from 'zod';
import { allDecisionsMax } from '../../custody/objects/approval';
import { readOrder } from './read';

/**
 * A statement as text, with a signature of exactly that text: of an SSH key (armoured), or what a
 * passkey has answered.
 */
export const signedStatement = z.strictObject({
  statement: z.string().min(2).max(100_000),
  signature: z.string().min(50).max(4_000),
});
export type Signed = z.output<typeof signedStatement>;

/**
 * A person's signature of a statement. Its text follows from the request, the write and the moment
 * when it expires, so that the process that signs makes it again.
 */
const decision = z.strictObject({
  purpose: z.enum(['approval', 'rejection']),
  /** The write that it is about: "<step>/<item>#<generation>", or "lines" for a whole payout. */
  target: z.string().min(1).max(1_000),
  expires: z.iso.datetime(),
  signature: signedStatement.shape.signature,
});
export type Decision = z.output<typeof decision>;

/**
 * The proof that the lines of a write are among those that were signed, in the order in which it
 * pays them. `token` is the lines' word for it. `others` are the hashes beside them, which lead to
 * the root together with them.
 */
const lineProof = z.strictObject({
  token: z.string().min(1).max(100),
  lines: z
    .array(
      z.strictObject({
        lineId: z.string().min(1).max(64),
        generation: z.int().min(0),
        index: z.int().min(0),
      }),
    )
    .max(500),
  others: z.array(z.string().regex(/^[0-9a-f]{64}$/)).max(16_000),
});
export type LineProof = z.output<typeof lineProof>;

/** The signatures that an order's writes carry: its request, and people's decisions so far. */
export const authority = z.strictObject({
  request: signedStatement.optional(),
  decisions: z.array(decision).max(100).optional(),
  proof: lineProof.optional(),
});
export type Authority = z.output<typeof authority>;

/**
 * Reads the signatures that a write carries. A decision that cannot be read is nobody's, and is
 * left out: everybody who reaches an order can hand one in. Throws a BadOrderError for the rest.
 */
export function readAuthority(given: unknown): Authority {
  const { decisions, ...others }: { decisions?: unknown } =
    typeof given === 'object' && given !== null ? given : {};
  const isOfOrder = Array.isArray(decisions) && decisions.length <= allDecisionsMax;
  const readable = isOfOrder
    ? decisions.filter((one) => decision.safeParse(one).success)
    : decisions;
  return readOrder(authority, readable === undefined ? others : { ...others, decisions: readable });
}

/** A withdrawal that a writer has verified and kept: whose it is, and of what. */
export type KeptWithdrawal = {
  person: string;
  order: string;
  lines?: string[] | undefined;
  signedUntil: string;
  /** The moment up to which it reaches. It is that of its signer, or a later one. */
  until: string;
};
