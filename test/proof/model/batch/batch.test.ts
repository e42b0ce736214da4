import { join } from 'node:path';
import { batchGame } from '../../../../proof/model/batch/batch';
import { Parts } from '../../../../proof/model/batch/part';
import { batchFaults } from '../../../../proof/model/batch/planted';
import { largeBatches, oneRun, smallBatches } from '../../../../proof/model/batch/scopes';
import { explore } from '../../../../proof/model/explore';
import { partWith } from '../../../../proof/model/machines';
import { nowMs } from '../../../../proof/model/world';
import { times } from '../../../support/lane';

const root = join(__dirname, '..', '..', '..', '..');
const statesMax = times({ short: 800, all: 16_000 });
const isLarge = times({ short: 0, all: 1 }) === 1;
const scopes = isLarge ? [...smallBatches, ...largeBatches] : smallBatches;

describe('batches in every world', () => {
  test.each(scopes)('$name: keep every promise, and each state has a way out', async (scope) => {
    const explored = explore(batchGame(await partWith([], root), scope), { statesMax });
    expect(explored.broken).toBeUndefined();
    expect(explored.states).toBeGreaterThan(200);
  });
});

test('a notice does not end the wait for requests of a run that has ended', async () => {
  const machine = await partWith([], root);
  const parts = new Parts(machine, oneRun);
  const ended = { before: [], bornAtMs: nowMs, endedAtMs: nowMs, others: 'ambiguous' } as const;
  const opened = parts.opened(2, { ...ended, before: [] });
  const woken = parts.after(opened, 'wake', (shard) => machine.wake(shard));
  const shard = parts.shardOf(woken);
  const fromMs = shard.lines.map((line) => machine.lookUpFromMs(shard, line));
  expect(fromMs).toEqual(shard.lines.map(() => nowMs + shard.opened.lookupGraceMs));
});

describe('a planted fault', () => {
  test.each(batchFaults)('$name: breaks a promise, and the story says how', async (fault) => {
    const machine = await partWith(fault.edits, root);
    const { broken } = explore(batchGame(machine, fault.scope), { statesMax: 5_000 });
    expect(broken?.story[0]).toMatch(/^The part is started/);
  });

  test.each(batchFaults)('$name: the same world keeps every promise without it', async (fault) => {
    const explored = explore(batchGame(await partWith([], root), fault.scope), {
      statesMax: times({ short: 300, all: 4_000 }),
    });
    expect(explored.broken).toBeUndefined();
  });
});
