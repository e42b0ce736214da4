/** A line of a file as it is written, or what is wrong with how it is written. */
export type Row = {
  /** Where it stands: as a spreadsheet counts, in a JSON list from 1. */
  row: number;
} & ({ values: Readonly<Record<string, unknown>> } | { fault: string });

/** No line of a payout is longer: a quote that is never closed would swallow the whole file. */
export const rowCharactersMax = 10_000;
