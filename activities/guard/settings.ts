import type { Archive } from '../../src/books/archive/archive';
import type { CheckSources } from '../../src/checks/checkLines';
import type { LookUpActivities } from '../lookUp';
import type { NoticeSense } from './noticeSense';

/** The part of a worker's settings that opening an order needs. */
export type OrderSettings = Pick<CheckSources, 'bookPath' | 'open'> & {
  baseUrl: string;
  blockchain: string;
  /** False if the namespace lacks our search attributes. Workflows then do without them. */
  searchAttributes: boolean;
  /** True if payloads are encrypted. Search attributes then leave the money out. */
  isPrivate?: boolean;
  keyLifetimeMs: number;
  /** Time for which a pending write is looked up before a person is asked. */
  lookupGraceMs: number;
  /** The chain's node for receipts. Without it the service's word counts. */
  chainRpcUrl: string | undefined;
  /** The archive that keeps the receipts of orders. */
  archive?: Archive | undefined;
  /** True if a receiver is told of the ends of orders. */
  answers?: boolean;
};

/** The same, with the other activities that the guard asks. */
export type GuardSettings = OrderSettings & { lookUps: LookUpActivities; sense: NoticeSense };
