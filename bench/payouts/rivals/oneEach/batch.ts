import type { Payment } from '../../contender';

/** What a parent is given: its share of the payments, and of the window. */
export type Batch = { payments: Payment[]; window: number; method: string };
