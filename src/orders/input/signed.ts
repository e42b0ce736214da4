import { z } from 'zod';

/** A statement as text, with an SSH signature (armoured) of exactly that text. */
export const signedStatement = z.strictObject({
  statement: z.string().min(2).max(100_000),
  signature: z.string().min(50).max(4_000),
});
export type Signed = z.output<typeof signedStatement>;

const decision = signedStatement.extend({ purpose: z.enum(['approval', 'rejection']) });
export type Decision = z.output<typeof decision>;

/** The signatures that an order's writes carry: its request, and people's decisions so far. */
export const authority = z.strictObject({
  request: signedStatement.optional(),
  decisions: z.array(decision).max(100).optional(),
});
export type Authority = z.output<typeof authority>;
