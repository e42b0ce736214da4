import { join } from 'node:path';
import { batchGame } from '../../../../proof/model/batch/batch';
import { Parts } from '../../../../proof/model/batch/part';
import { batchFaults } from '../../../../proof/model/batch/planted';
import { largeBatches, oneRun, smallBatches } from '../../../../proof/model/batch/scopes';
import { explore } from '../../../../proof/model/explore';
import { type Player, playerWith } from '../../../../proof/model/loop/temporal/player';
import { nowMs } from '../../../../proof/model/world';
import { times } from '../../../support/lane';

const root = join(__dirname, '..', '..', '..', '..');
const workflows = ['payoutShard'];
const statesMax = times({ short: 800, all: 6_000 });
const isLarge = times({ short: 0, all: 1 }) === 1;
const scopes = isLarge ? [...smallBatches, ...largeBatches] : smallBatches;
let play: Player;

beforeAll(async () => {
  play = await playerWith(workflows, [], root);
});

describe('batches in every world', () => {
  test.each(scopes)('$name: keep every promise, and each state has a way out', (scope) => {
    const explored = explore(batchGame(play, scope), { statesMax });
    expect(explored.broken).toBeUndefined();
    expect(explored.states).toBeGreaterThan(200);
  });
});

test('no signal ends the wait for requests of a run that has ended', () => {
  const parts = new Parts(play, oneRun);
  const ended = { before: [], bornAtMs: nowMs, endedAtMs: nowMs, others: 'ambiguous' } as const;
  const opened = parts.opened(2, { ...ended, before: [] });
  expect(opened.calls).toEqual([]);
  const heard = ['wake', 'noticed'].map(
    (name) => parts.places.next(opened, { kind: 'message', name, given: {} }).place,
  );
  expect(heard).toEqual([opened, opened]);
  const later = parts.places.older(opened);
  expect(later.calls.map(({ name }) => name)).toEqual(['findLines']);
});

describe('a planted fault', () => {
  test.each(batchFaults)('$name: breaks a promise, and the story says how', async (fault) => {
    const broken = await playerWith(workflows, fault.edits, root);
    const explored = explore(batchGame(broken, fault.scope), { statesMax: 5_000 });
    expect(explored.broken?.story[0]).toMatch(/^The part is started/);
  });

  test.each(batchFaults)('$name: the same world keeps every promise without it', (fault) => {
    const explored = explore(batchGame(play, fault.scope), {
      statesMax: times({ short: 300, all: 2_000 }),
    });
    expect(explored.broken).toBeUndefined();
  });
});
