import type { LineSource } from '../../orders/payout/lineBeside';

/** A row as written in the file, or the fault of its form. A fault of the whole file has no row. */
export type FileRow =
  | {
      /** Its number, as a spreadsheet counts. In a JSON list and in XML, from 1. */
      row: number;
      values: Readonly<Record<string, unknown>>;
      /** The ids of its sender's message. */
      source?: LineSource;
    }
  | { row?: number; fault: string };

/** Longer than any line. Limits a quote that is never closed. */
export const rowCharactersMax = 10_000;
