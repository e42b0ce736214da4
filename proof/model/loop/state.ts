import type { WriteState } from '../../../workflows/write/machine/writeState';

/** The input of a call. Each activity reads its own fields. */
export type Given = {
  order: { generations: Record<string, number> };
  named?: string;
  parts: { step: string; generation: number };
  earlierTries: 'clean' | 'ambiguous';
  bornAtMs: number;
  lookedUpAgoMs?: number;
  baseUrl: string;
  id: string;
  search: { id: string };
};

/** As much of a state that a run hands on as this model reads. */
export type Carried = {
  opened?: { firstLook?: unknown; earlier: { bornAtMs: number } };
  writes: Record<string, WriteState>;
  done: unknown;
  over: unknown;
  made: unknown;
  cancelAsked: boolean;
  hasLooked?: boolean;
  openedAtMs?: number;
  doubtedAtMs?: number;
};

export type Log = Record<string, 'clean' | 'ambiguous'>;

/** As much of a run's memo, and of the details of its failure, as later runs read. */
export type Memory = {
  generations?: Record<string, number>;
  findings?: Record<string, unknown>;
  end?: { writes?: Log };
};
