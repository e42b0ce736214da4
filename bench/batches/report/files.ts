import { writePage } from '../../docs';
import { showTable } from '../../measure';
import type { BatchResults } from '../results';
import { batchGoals } from './goals';
import { batchTables } from './tables';

export const keptName = 'batches.json';

/** Writes the tables of batches into the page of performance. */
export function writeBatchDocs(results: BatchResults): void {
  writePage('batches', [
    `### Goals of batches\n\n\`\`\`text\n${showTable(batchGoals(results))}\n\`\`\``,
    batchTables(results),
    `All rounds are in [${keptName}](${keptName}).`,
  ]);
}
