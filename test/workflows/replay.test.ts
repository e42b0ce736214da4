import { DefaultLogger, Runtime, Worker, type WorkflowBundleOption } from '@temporalio/worker';
import { DeterminismViolationError } from '@temporalio/workflow';
import { bundleChanged, type Change } from '../support/histories/changedWorkflows';
import { parseHistory, readHistories, textOf } from '../support/histories/recorded';
import { workflowsOf } from '../support/histories/road';
import { journeys } from '../support/histories/roads';
import { workflowBundle } from '../support/temporal';

// That a change is caught is what some of the tests are about, and no fault of theirs.
Runtime.install({
  logger: new DefaultLogger('ERROR'),
  telemetryOptions: { logging: { filter: 'ERROR' } },
});

/** Each replays a hundred histories. */
jest.setTimeout(300_000);

const recorded = readHistories();

describe('a replay with the workflows as they are', () => {
  let results: Result[] = [];
  beforeAll(async () => {
    results = await replayWith(workflowBundle());
  });

  test.each(recorded)('$name', (history) => {
    expect(results.find(({ name }) => name === history.name)).toEqual({
      ...{ name: history.name, error: undefined },
    });
  });

  it('has a history of every way that is recorded', () => {
    const names = recorded.map(({ name }) => name.replace(/-\d$/, ''));
    const wanted = journeys.flatMap((journey) => Object.keys(workflowsOf(journey)));
    expect([...new Set(names)]).toEqual(wanted.sort());
  });
});

describe('a replay with changed workflows', () => {
  const imported = 'import {\n  ApplicationFailure,';
  const patched = "import { patched } from '@temporalio/workflow';";
  const oneMore = "await reads('one more').readToken({ id: 'any' });";
  const shardImport = "import { isDoubtful } from './run';";
  const readsImport = "import { reads } from './custody';";
  const process = 'const receipt = await process(run);';
  const pause = 'await pause(run, settleDelayMs(looks),';
  const laterPause = 'const wait = () => pause(run, settleDelayMs(looks),';
  const look = 'const transaction = await look(run, { step, accepted, number: looks });';
  const decimals = "Number(await readBefore(run, number('decimals()')))";

  it('catches an activity that was added, in every history', async () => {
    const to = `${oneMore} ${process}`;
    const inShard = {
      from: 'await takeUpBefore(shard);',
      to: `${oneMore} await takeUpBefore(shard);`,
    };
    const results = await replayAll([
      { file: 'runOrder.ts', from: process, to },
      { file: 'payoutShard.ts', ...inShard },
      { file: 'payoutShard.ts', from: shardImport, to: `${readsImport}\n${shardImport}` },
    ]);
    expect(caught(results)).toEqual(recorded.map(({ name }) => name));
  });

  it('catches a look before the wait for it, wherever a transaction was looked at', async () => {
    const results = await replayAll([
      { file: 'settle.ts', from: pause, to: laterPause },
      { file: 'settle.ts', from: look, to: `${look} await wait();` },
    ]);
    expect(caught(results)).toEqual(thatShow(/"getTransaction"/));
  });

  it('catches an activity that was left out, wherever it was asked for', async () => {
    const results = await replayAll([{ file: 'steps/mint.ts', from: decimals, to: '18' }]);
    expect(caught(results)).toEqual(thatShow(/"readNumber"/));
  });

  it('goes through where the activity was added behind a patch', async () => {
    const results = await replayAll([
      { file: 'runOrder.ts', from: imported, to: `${patched}\n${imported}` },
      { file: 'runOrder.ts', from: process, to: `if (patched('one-more')) ${oneMore} ${process}` },
    ]);
    expect(results.filter(({ error }) => error !== undefined)).toEqual([]);
  });
});

type Result = { name: string; error: Error | undefined };

/** Every history against changed workflows. */
async function replayAll(changes: readonly Change[]): Promise<Result[]> {
  return replayWith(await bundleChanged(changes));
}

/** Every history, one after another, by one worker. */
async function replayWith(workflows: WorkflowBundleOption): Promise<Result[]> {
  const histories = recorded.map(({ text }) => parseHistory(text));
  const results: Result[] = [];
  const replayed = Worker.runReplayHistories({ workflowBundle: workflows }, histories);
  for await (const { error } of replayed) {
    results.push({ name: recorded[results.length]?.name ?? '', error });
  }
  return results;
}

/** The histories that are not what the workflows would do now. */
function caught(results: readonly Result[]): string[] {
  return results.flatMap(({ name, error }) =>
    error instanceof DeterminismViolationError ? [name] : [],
  );
}

/** The histories in which something was done; not all of them, or nothing would be left to pass. */
function thatShow(what: RegExp): string[] {
  const shown = recorded.filter(({ text }) => what.test(textOf(text))).map(({ name }) => name);
  expect(shown.length).toBeGreaterThan(0);
  expect(shown.length).toBeLessThan(recorded.length);
  return shown;
}
