import { Worker, type WorkflowBundleOption } from '@temporalio/worker';
import { DeterminismViolationError } from '@temporalio/workflow';
import { bundleChanged, type Change } from '../support/histories/changedWorkflows';
import { parseHistory, readHistories, textOf } from '../support/histories/recorded';
import { filesOf } from '../support/histories/road';
import { journeys } from '../support/histories/roads';
import { times } from '../support/lane';
import { workflowBundle } from '../support/temporal';
import '../support/orders';

/** Each test replays a hundred histories. */

const recorded = readHistories();
/** The histories that changed workflows replay: some of each kind, or all in the long lane. */
const sampled = recorded.filter((_, at) => at % times({ short: 6, all: 1 }) === 0);

describe('a replay with the current workflows', () => {
  let results: Result[] = [];
  beforeAll(async () => {
    results = await replayWith(workflowBundle(), recorded);
  });

  test.each(recorded)('$name', (history) => {
    expect(results.find(({ name }) => name === history.name)).toEqual({
      name: history.name,
      error: undefined,
    });
  });

  it('covers every recorded journey', () => {
    const names = recorded.map(({ name }) => name.replace(/-\d$/, ''));
    const wanted = journeys.flatMap((journey) => filesOf(journey));
    expect([...new Set(names)]).toEqual(wanted.sort());
  });
});

describe('a replay with changed workflows', () => {
  const imported = "import { CancellationScope, upsertMemo } from '@temporalio/workflow';";
  const patched = "import { patched } from '@temporalio/workflow';";
  const oneMore = "await longReads('one more').readToken({ id: 'any' });";
  const shardImport = "import { refusal } from './order/activities';";
  const readsImport = "import { longReads } from './order/activities';";
  const answerImport = "import { tells } from './order/activities';";
  const telling = 'const told = await tells(';
  const process = 'const receipt = await process(live);';
  const due = 'return live.nextPollMs;';
  const supplyAfter = 'after = await supplyOf(live, contractAddress, { ...supply, least });';
  const decimals = "Number(await readOnce(live, contractAddress, { signature: 'decimals()' }))";

  it('catches an added activity in every history', async () => {
    const to = `${oneMore} ${process}`;
    const inShard = {
      from: 'await takeUpBefore(shard);',
      to: `${oneMore} await takeUpBefore(shard);`,
    };
    const results = await replayAll([
      { file: 'order/runOrder.ts', from: process, to },
      { file: 'payoutShard.ts', ...inShard },
      { file: 'payoutShard.ts', from: shardImport, to: `${readsImport}\n${shardImport}` },
      { file: 'answer.ts', from: telling, to: `${oneMore} ${telling}` },
      { file: 'answer.ts', from: answerImport, to: `${readsImport}\n${answerImport}` },
    ]);
    expect(caught(results)).toEqual(sampled.map(({ name }) => name));
  });

  it('catches a poll before its wait in every history with a poll', async () => {
    const results = await replayAll([{ file: 'write/ask.ts', from: due, to: 'return 0;' }]);
    expect(caught(results)).toEqual(thatShow(/"getTransaction"/));
  });

  it('catches a removed activity in every history that has it', async () => {
    const results = await replayAll([
      { file: 'steps/mint.ts', from: decimals, to: '18' },
      { file: 'steps/mint.ts', from: supplyAfter, to: 'after = before;' },
    ]);
    expect(caught(results)).toEqual(thatShow(/"readNumber"/));
  });

  it('passes when the activity was added behind a patch', async () => {
    const results = await replayAll([
      { file: 'order/runOrder.ts', from: imported, to: `${patched}\n${imported}` },
      {
        file: 'order/runOrder.ts',
        from: process,
        to: `if (patched('one-more')) ${oneMore} ${process}`,
      },
    ]);
    expect(results.filter(({ error }) => error !== undefined)).toEqual([]);
  });
});

type Result = { name: string; error: Error | undefined };

/** Replays the sampled histories with changed workflows. */
async function replayAll(changes: readonly Change[]): Promise<Result[]> {
  return replayWith(await bundleChanged(changes), sampled);
}

/** Replays histories one after another on one worker. */
async function replayWith(
  workflows: WorkflowBundleOption,
  all: typeof recorded,
): Promise<Result[]> {
  const histories = all.map(({ text }) => parseHistory(text));
  const results: Result[] = [];
  const replayed = Worker.runReplayHistories({ workflowBundle: workflows }, histories);
  for await (const { error } of replayed) {
    results.push({ name: all[results.length]?.name ?? '', error });
  }
  return results;
}

/** The histories that differ from the workflows. */
function caught(results: readonly Result[]): string[] {
  return results.flatMap(({ name, error }) =>
    error instanceof DeterminismViolationError ? [name] : [],
  );
}

/** The histories that contain this. Never all of them, so that some must pass. */
function thatShow(what: RegExp): string[] {
  const shown = sampled.filter(({ text }) => what.test(textOf(text))).map(({ name }) => name);
  expect(shown.length).toBeGreaterThan(0);
  expect(shown.length).toBeLessThan(sampled.length);
  return shown;
}
