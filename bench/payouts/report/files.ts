import { writeFileSync } from 'node:fs';
import { inDocs, writePage } from '../../docs';
import { showTable } from '../../measure';
import type { Results } from '../results';
import { goalsOf } from './goals';
import { plotOf } from './plot';
import { tablesOf } from './tables';

const plotName = 'performance.svg';
export const keptName = 'performance.json';

/** Writes the results into `docs/`: the picture, and the tables of the page. */
export function writeDocs(results: Results): void {
  const picture = plotOf(results);
  if (picture !== undefined) writeFileSync(inDocs(plotName), picture);
  writePage('payouts', [
    ...(picture === undefined ? [] : [`![Lines a second, by how many may be open](${plotName})`]),
    `### Goals\n\n\`\`\`text\n${showTable(goalsOf(results))}\n\`\`\``,
    tablesOf(results),
    `All rounds are in [${keptName}](${keptName}).`,
  ]);
}
