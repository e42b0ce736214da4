import { join } from 'node:path';
import { explore, type Game } from '../../../../proof/model/explore';
import { loopGame } from '../../../../proof/model/loop/loop';
import { loopFaults } from '../../../../proof/model/loop/planted';
import { loopScopes, plainLoop } from '../../../../proof/model/loop/scopes';
import { type Player, playerWith } from '../../../../proof/model/loop/temporal/player';
import type { LoopScope, LoopWorld } from '../../../../proof/model/loop/world';
import { times } from '../../../support/lane';

const root = join(__dirname, '..', '..', '..', '..');
const workflows = ['transferStablecoin'];
const statesMax = times({ short: 1_500, all: 20_000 });
let play: Player;

beforeAll(async () => {
  play = await playerWith(workflows, [], root);
});

/** The world after steps that begin with these words, and what was told on the way. */
function walk(game: Game<LoopWorld>, way: readonly string[]): { world: LoopWorld; told: string[] } {
  const told: string[] = [];
  let world = game.first;
  for (const words of way) {
    const step = game.stepsOf(world).find((one) => one.words.startsWith(words));
    if (step === undefined)
      throw new Error(`After "${told.at(-1)}", no step begins with: ${words}`);
    told.push(step.words);
    world = step.world;
  }
  return { world, told };
}

describe('a transfer that the model carries out', () => {
  test('goes the plain way, from the guard to the receipt', () => {
    const game = loopGame(play, { ...plainLoop, name: 'plain', lies: true });
    const { world, told } = walk(game, [
      'The order is started with generation 0',
      'The guard opens the order',
      'Attempt #0 is accepted:',
      'The timer fires',
      'The service completes transaction 1.',
      'The record says COMPLETE',
      'The chain shows the payment',
    ]);
    expect(told).toMatchInlineSnapshot(`
[
  "The order is started with generation 0: no write, waiting for openOrder.",
  "The guard opens the order: write #0 sending, waiting for createTransfer.",
  "Attempt #0 is accepted: write #0 accepted, waiting for its timer.",
  "The timer fires: write #0 accepted, waiting for getTransaction.",
  "The service completes transaction 1.",
  "The record says COMPLETE: write #0 accepted, waiting for checkReceipt.",
  "The chain shows the payment: the order is completed.",
]
`);
    expect(world).toMatchObject({ run: 'closed', write: { stage: 'completed' } });
    expect(world.known.isCompleted).toBe(true);
  });

  const forgotten = [
    'The order is started with generation 0',
    'The guard opens the order',
    'Attempt #0 is accepted:',
    'The run is terminated.',
    ...Array<string>(3).fill('A grace period passes.'),
    'Temporal forgets the id.',
    'The order is started with generation 0',
    'Somebody cancels',
    'The guard opens the order',
  ];
  const again: LoopScope = { ...plainLoop, name: 'again', starts: 2 };

  test('does not end as cancelled while the guard sees it pending in the list', () => {
    const { world } = walk(loopGame(play, again), forgotten);
    expect(world).toMatchObject({ run: 'open', write: { stage: 'accepted' } });
  });

  test('would end as cancelled if the order did not believe its guard', async () => {
    const file = 'workflows/order/cancel.ts';
    const edit = { file, find: 'isListed(live) || ', replace: '' };
    const broken = await playerWith(workflows, [edit], root);
    const { world } = walk(loopGame(broken, again), forgotten);
    expect(world).toMatchObject({ run: 'closed', transactions: [{ state: 'PENDING' }] });
  });
});

describe('the loop of a write in every world', () => {
  test.each(loopScopes)('$name: keeps every promise', (scope) => {
    const explored = explore(loopGame(play, scope), { statesMax });
    expect(explored.broken).toBeUndefined();
    expect(explored.states).toBeGreaterThan(500);
  });
});

describe('a planted fault of the loop', () => {
  test.each(loopFaults)('$name: breaks a promise, and the story says how', async (fault) => {
    const broken = await playerWith(workflows, fault.edits, root);
    const explored = explore(loopGame(broken, fault.scope), { statesMax: 12_000 });
    expect(explored.broken?.story[0]).toMatch(/^The order is started/);
  });
});
