import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { folder } from '../support/histories/recorded';
import type { Journey } from '../support/histories/road';
import { journeys } from '../support/histories/roads';
import { type Stage, startStage } from '../support/histories/stage';
import { faultsOf, travel } from '../support/histories/travel';

/** A small number, so that no delay of the machine shows in the histories. */
const atOnce = 6;

/**
 * Runs orders on all journeys, and records their histories. Words limit it to the journeys whose
 * names contain one of them. Writes nothing unless every order went its way.
 */
async function record(words: readonly string[]): Promise<void> {
  const isChosen = ({ name }: Journey) => words.some((word) => name.includes(word));
  const chosen = words.length === 0 ? journeys : journeys.filter(isChosen);
  const stage = await startStage();
  try {
    await stage.plan(faultsOf(chosen));
    const files = await travelAll(stage, chosen);
    if (words.length === 0) rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    for (const [file, history] of files) writeFileSync(join(folder, file), history);
  } finally {
    await stage.stop();
  }
}

/** The histories by file name. */
async function travelAll(
  stage: Stage,
  chosen: readonly Journey[],
): Promise<[file: string, history: string][]> {
  const files: [string, string][] = [];
  const faults: unknown[] = [];
  const queue = [...chosen];
  const take = async (): Promise<void> => {
    for (let journey = queue.shift(); journey !== undefined; journey = queue.shift()) {
      const { name } = journey;
      try {
        const histories = await travel(stage, journey);
        for (const [file, history] of histories) files.push([`${file}.json`, history]);
        process.stdout.write(`${name}: recorded\n`);
      } catch (error) {
        faults.push(error);
        process.stdout.write(`${name}: ${error}\n`);
      }
    }
  };
  await Promise.all(Array.from({ length: atOnce }, take));
  if (faults.length > 0) throw new Error(`${faults.length} orders did not go their way.`);
  return files;
}

void record(process.argv.slice(2));
