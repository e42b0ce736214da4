import type { Payment } from '../../contender';

/** The input of a parent: its share of the payments, and of the window. */
export type Batch = { payments: Payment[]; window: number; method: string };
