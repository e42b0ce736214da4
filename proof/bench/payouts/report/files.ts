import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { showTable } from '../../measure';
import type { Results } from '../results';
import { goalsOf } from './goals';
import { plotOf } from './plot';
import { tablesOf } from './tables';

const docs = join(__dirname, '..', '..', '..', '..', 'docs');
const page = join(docs, 'performance.md');
const plotName = 'performance.svg';
const keptName = 'performance.json';
export const kept = join(docs, keptName);

const begin = '<!-- measured: written by npm run bench -- payouts --docs -->';
const end = '<!-- end of what was measured -->';

/** Reads results. Empty when the file does not exist. */
export function readResults(path: string): Results {
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {};
}

export function writeResults(path: string, results: Results): void {
  writeFileSync(path, `${JSON.stringify(results, rounded, 2)}\n`);
}

/** Rounds to three digits after the point, so that small differences make no change in the file. */
function rounded(_: string, value: unknown): unknown {
  return typeof value === 'number' ? Math.round(value * 1_000) / 1_000 : value;
}

/** Writes the results into `docs/`: their file, the picture, and the tables of the page. */
export function writeDocs(results: Results): void {
  writeResults(kept, results);
  const picture = plotOf(results);
  if (picture !== undefined) writeFileSync(join(docs, plotName), picture);
  const text = readFileSync(page, 'utf8');
  const [before, rest] = [text.split(begin)[0], text.split(end)[1]];
  if (before === undefined || rest === undefined) {
    throw new Error(`${page} has lost the lines "${begin}" and "${end}". Put them back.`);
  }
  const parts = [
    ...(picture === undefined ? [] : [`![Lines a second, by how many may be open](${plotName})`]),
    `### Goals\n\n\`\`\`text\n${showTable(goalsOf(results))}\n\`\`\``,
    tablesOf(results),
    `All rounds are in [${keptName}](${keptName}).`,
  ];
  writeFileSync(page, `${before}${begin}\n\n${parts.join('\n\n')}\n\n${end}${rest}`);
}
