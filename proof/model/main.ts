import { join } from 'node:path';
import { type Explored, explore } from './explore';
import { machineWith, product } from './machines';
import { faults } from './planted';
import { largeScopes, smallScopes } from './scopes';

const usage = 'npm run model -- [--small] [--states N] [--planted]';
const plantedMax = 200_000;

async function main(): Promise<void> {
  const words = process.argv.slice(2);
  if (words.includes('--help')) return console.log(usage);
  const at = words.indexOf('--states');
  const statesMax = at < 0 ? 3_000_000 : Number(words[at + 1]);
  console.log(row('world', 'states', 'transitions', 'depth', 'seconds', 'result'));
  if (words.includes('--planted')) return showPlanted();
  const scopes = words.includes('--small') ? smallScopes : [...smallScopes, ...largeScopes];
  for (const scope of scopes) {
    const explored = explore({ machine: product, scope, answers: new Map() }, { statesMax });
    show(scope.name, explored);
    if (explored.broken !== undefined) process.exitCode = 1;
  }
}

async function showPlanted(): Promise<void> {
  for (const { name, edits, scope } of faults) {
    const machine = await machineWith(edits, join(__dirname, '..', '..'));
    const rules = { machine, scope, answers: new Map() };
    const explored = explore(rules, { statesMax: plantedMax });
    show(name, explored);
    if (explored.broken === undefined) process.exitCode = 1;
  }
}

function show(name: string, explored: Explored): void {
  const { states, transitions, depth, seconds, isWhole, broken } = explored;
  const result = broken?.promise ?? (isWhole ? 'holds' : 'holds so far: not explored whole');
  console.log(row(name, states, transitions, depth, seconds.toFixed(1), result));
  for (const [index, words] of broken?.story.entries() ?? [])
    console.log(`  ${index + 1}. ${words}`);
}

function row(name: string, ...columns: (string | number)[]): string {
  return [name.padEnd(56), ...columns.map((one) => String(one).padStart(11))].join(' ');
}

void main();
