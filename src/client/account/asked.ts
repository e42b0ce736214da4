import { z } from 'zod';
import { readOrder } from '../../orders/input/read';

/** The workflow that reads the account for people who look at pages. It moves nothing. */
export const accountKind = 'readAccount';

const dayMs = 86_400_000;
const daysMax = 92;
const day = z.iso.date({ error: 'must be a day such as 2026-01-31' });

/** The statement of a wallet for some days in UTC, both of them with it. */
export const statementAsked = z
  .strictObject({
    about: z.literal('statement'),
    wallet: z.uuid({ error: 'must be the id of a wallet' }),
    from: day,
    to: day,
  })
  .refine(({ from, to }) => from <= to, { path: ['to'], error: 'must not be before from' })
  .refine(({ from, to }) => Date.parse(to) - Date.parse(from) < daysMax * dayMs, {
    path: ['to'],
    error: `must be less than ${daysMax} days after from`,
  });
export type StatementWanted = z.output<typeof statementAsked>;

/** Input of the workflow: the part of the account that somebody looks at. */
export type AccountAsked = { about: 'wallets' | 'service' | 'policy' } | StatementWanted;

/** Checks which statement is wanted: anybody may have started the workflow. */
export function readStatementAsked(given: unknown): StatementWanted {
  return readOrder(statementAsked, given);
}
