import { join } from 'node:path';
import { explore } from '../../../proof/model/explore';
import { machineWith, product } from '../../../proof/model/machines';
import { faults } from '../../../proof/model/planted';
import { largeScopes, smallScopes } from '../../../proof/model/scopes';
import { writeGame } from '../../../proof/model/write';
import { times } from '../../support/lane';

const root = join(__dirname, '..', '..', '..');
const statesMax = times({ short: 6_000, all: 60_000 });
const isLarge = times({ short: 0, all: 1 }) === 1;
const scopes = isLarge ? [...smallScopes, ...largeScopes] : smallScopes;

describe('one write in every world', () => {
  test.each(scopes)('$name: keeps every promise, and each state has a way out', (scope) => {
    const explored = explore(writeGame(product, scope), { statesMax });
    expect(explored.broken).toBeUndefined();
    expect(explored.states).toBeGreaterThan(200);
  });
});

describe('a planted fault', () => {
  test.each(faults)('$name: breaks a promise, and the story says how', async (fault) => {
    const machine = await machineWith(fault.edits, root);
    const { broken } = explore(writeGame(machine, fault.scope), { statesMax: 200_000 });
    expect(broken?.story[0]).toMatch(/^The order is started/);
  });

  test.each(faults)('$name: the same world keeps every promise without it', ({ scope }) => {
    const game = writeGame(product, scope);
    expect(
      explore(game, { statesMax: times({ short: 1_500, all: 20_000 }) }).broken,
    ).toBeUndefined();
  });
});
