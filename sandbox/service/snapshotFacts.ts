import { z } from 'zod';
import { secretsSchema } from '../config/secrets';
import { settingsChange } from '../config/settings';
import { faultsState } from '../faults/faults';
import { readSnapshot } from '../store/snapshotFile';

/** The part of a sandbox's state that is not a record. A snapshot's file has it beside the records. */
const factsSchema = z.object({
  id: z.guid(),
  createdAt: z.string(),
  /** The hash of the contracts that its chain began with. */
  contracts: z.string(),
  /** The number of the newest recorded block. */
  block: z.int(),
  secrets: secretsSchema,
  settings: settingsChange,
  faults: faultsState,
});

export type SnapshotFacts = z.output<typeof factsSchema>;

/** Reads the facts of a snapshot. Throws a SnapshotError if this version cannot read the file. */
export function readFacts(file: string): SnapshotFacts {
  return readSnapshot(file, factsSchema);
}
