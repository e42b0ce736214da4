import { join } from 'node:path';
import { batchGame } from './batch/batch';
import { batchFaults } from './batch/planted';
import { largeBatches, smallBatches } from './batch/scopes';
import { type Explored, explore, type Game } from './explore';
import { ledgerGame } from './ledger/ledger';
import { ledgerFaults } from './ledger/planted';
import { ledgerScopes } from './ledger/scopes';
import { loopGame } from './loop/loop';
import { loopFaults } from './loop/planted';
import { loopScopes } from './loop/scopes';
import { playerWith } from './loop/temporal/player';
import { ledgerWith, machineWith, product } from './machines';
import { payoutGame } from './payout/payout';
import { refining } from './payout/refine';
import { largePayouts, payoutFaults, promised, smallPayouts } from './payout/scopes';
import { faults } from './planted';
import { largeScopes, smallScopes } from './scopes';
import { writeGame } from './write';

const usage = 'npm run model -- [--small] [--states N] [--planted]';
const plantedMax = 200_000;
const smallMax = { loop: 60_000, batches: 20_000 };
const workflows = ['transferStablecoin', 'payoutShard'];
const root = join(__dirname, '..', '..');

async function main(): Promise<void> {
  const words = process.argv.slice(2);
  if (words.includes('--help')) return console.log(usage);
  const at = words.indexOf('--states');
  const statesMax = at < 0 ? 3_000_000 : Number(words[at + 1]);
  console.log(row('world', 'states', 'transitions', 'depth', 'seconds', 'result'));
  if (words.includes('--planted')) return showPlanted();
  const isSmall = words.includes('--small');
  for (const scope of isSmall ? smallScopes : [...smallScopes, ...largeScopes]) {
    tell(`a write: ${scope.name}`, writeGame(product, scope), statesMax);
  }
  const play = await playerWith(workflows, [], root);
  for (const scope of loopScopes) {
    const most = isSmall ? smallMax.loop : statesMax;
    tell(`the loop: ${scope.name}`, loopGame(play, scope), Math.min(most, statesMax));
  }
  for (const scope of isSmall ? smallPayouts : [...smallPayouts, ...largePayouts]) {
    tell(`a payout: ${scope.name}`, payoutGame({ scope, promises: promised }), statesMax);
  }
  for (const scope of isSmall ? smallBatches : [...smallBatches, ...largeBatches]) {
    const most = isSmall ? smallMax.batches : statesMax;
    tell(`batches: ${scope.name}`, batchGame(play, scope), Math.min(most, statesMax));
  }
  for (const scope of isSmall ? ledgerScopes.slice(0, 6) : ledgerScopes) {
    tell(`a ledger: ${scope.name}`, ledgerGame(scope), statesMax);
  }
  const { hears, checked } = refining();
  for (const scope of smallScopes) explore(writeGame(product, scope, hears), { statesMax });
  console.log(`${checked()} transitions of the machine are ones of the abstract write.`);
}

function tell<World>(name: string, game: Game<World>, statesMax: number): void {
  const explored = explore(game, { statesMax });
  show(name, explored);
  if (explored.broken !== undefined) process.exitCode = 1;
}

async function showPlanted(): Promise<void> {
  let caught = 0;
  const plant = <World>(name: string, game: Game<World>): void => {
    const explored = explore(game, { statesMax: plantedMax });
    show(name, explored);
    if (explored.broken === undefined) process.exitCode = 1;
    else caught += 1;
  };
  for (const { name, edits, scope } of faults) {
    const machine = await machineWith(edits, root);
    plant(`a write: ${name}`, writeGame(machine, scope));
  }
  for (const { name, edits, scope } of loopFaults) {
    plant(`the loop: ${name}`, loopGame(await playerWith(workflows, edits, root), scope));
  }
  for (const { name, breaks, scope } of payoutFaults) {
    plant(`a payout: ${name}`, payoutGame({ scope, promises: { ...promised, [breaks]: false } }));
  }
  for (const { name, edits, scope } of batchFaults) {
    plant(`batches: ${name}`, batchGame(await playerWith(workflows, edits, root), scope));
  }
  for (const { name, edits, scope } of ledgerFaults) {
    const rules = await ledgerWith(edits, root);
    plant(`a ledger: ${name}`, ledgerGame(scope, rules));
  }
  const planted = [faults, loopFaults, payoutFaults, batchFaults, ledgerFaults].flat().length;
  console.log(`planted ${planted}, caught ${caught}`);
}

function show(name: string, explored: Explored): void {
  const { states, transitions, depth, seconds, isWhole, broken } = explored;
  const result = broken?.promise ?? (isWhole ? 'holds' : 'holds so far: not explored whole');
  console.log(row(name, states, transitions, depth, seconds.toFixed(1), result));
  for (const [index, words] of broken?.story.entries() ?? [])
    console.log(`  ${index + 1}. ${words}`);
}

function row(name: string, ...columns: (string | number)[]): string {
  return [name.padEnd(66), ...columns.map((one) => String(one).padStart(11))].join(' ');
}

void main();
