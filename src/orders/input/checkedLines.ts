import { z } from 'zod';

/** Days within which a payment like one before is told. Less than the shortest month. */
export const usualDays = 20;

const count = z.int().min(0);

/** The checks of what an order pays, before any of it is paid, as a worker has run them. */
export const checkedLines = z.object({
  digest: z.string().describe('Over what the lines pay, as a person can compute it alone.'),
  ran: z.array(z.string()).describe('The checks that ran.'),
  leftOut: z.array(z.string()).describe('The checks for which the worker lacks what they need.'),
  book: z.string().optional().describe('SHA-256 of the address book.'),
  payments: count.optional().describe('Number of earlier payments that were looked at.'),
  found: z.record(z.string(), count).describe('The number of findings, by check.'),
});
export type CheckedLines = z.output<typeof checkedLines>;
