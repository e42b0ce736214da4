import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, Connection } from '@temporalio/client';
import { msToTs } from '@temporalio/common/lib/time';
import { receiverFor } from '../../../src/client/answers/receiver';
import type { TemporalToCheck } from '../../../src/health/finding';
import { checkSearchAttributes } from '../../../src/health/temporal/checkSearchAttributes';
import { checkWorkers } from '../../../src/health/temporal/checkWorkers';
import { attributeNames } from '../../../src/orders/progress/status';
import { createServe } from '../../support/orders';
import { scriptedCustody } from '../../support/service/scriptedCustody';
import { temporalAddress } from '../../support/temporal';
import { runCli } from '../runCli';

let connection: Connection;
beforeAll(async () => {
  connection = await Connection.connect({ address: temporalAddress() });
});
const serve = createServe();
afterAll(() => connection.close());

const types = { text: 1, keyword: 2 } as const;

/** A namespace of its own, with nothing but what Temporal gives it. */
async function newNamespace(attributes: Record<string, 1 | 2> = {}): Promise<string> {
  const namespace = `doctor-${randomUUID()}`;
  const workflowExecutionRetentionPeriod = msToTs('1 day');
  await connection.workflowService.registerNamespace({
    namespace,
    workflowExecutionRetentionPeriod,
  });
  if (Object.keys(attributes).length > 0) {
    await connection.operatorService.addSearchAttributes({
      namespace,
      searchAttributes: attributes,
    });
  }
  return namespace;
}

function asked(
  fields: Partial<Pick<TemporalToCheck, 'answers' | 'isFixing'>> & {
    namespace?: string;
    taskQueue?: string;
  },
): TemporalToCheck {
  const { namespace = 'default', taskQueue = 'steadfast', ...others } = fields;
  return {
    client: new Client({ connection, namespace }),
    connection,
    config: { connection: {}, namespace, taskQueue, keyScope: '' },
    deployment: undefined,
    answers: false,
    isFixing: false,
    ...others,
  };
}

describe('a namespace without our search attributes', () => {
  it('has them after --fix, once, and says what is left to do by hand', async () => {
    const namespace = await newNamespace();
    const env = { TEMPORAL_ADDRESS: temporalAddress(), TEMPORAL_NAMESPACE: namespace };
    const before = await checkSearchAttributes(asked({ namespace }));
    expect(before).toMatchObject({ state: 'fault', belongsTo: 'operator' });
    expect(before.words).toContain(`${attributeNames.join(', ')} missing`);
    expect(before.mend).toContain(`search-attribute create -n ${namespace} --name SteadfastStatus`);
    const fixed = await runCli(['doctor', '--fix'], env);
    expect(fixed.stdout).toContain(
      `✓ Search attributes: registered ${attributeNames.join(', ')}. A worker that is running`,
    );
    expect(fixed.stdout).toContain('✗ Retention: closed orders are forgotten after 1 day');
    expect(await checkSearchAttributes(asked({ namespace, isFixing: true }))).toMatchObject({
      state: 'fine',
    });
    const listed = await runCli(['list', '--status', 'Unknown'], env);
    expect(listed).toEqual({ code: 0, stdout: 'No such orders.\n', stderr: '' });
  });

  it('is told what to do where they may not be registered', async () => {
    // Temporal keeps ten keywords for each namespace in SQL, and these take seven.
    const others = Array.from({ length: 7 }, (_, n) => [`Other${n}`, types.keyword]);
    const namespace = await newNamespace(Object.fromEntries(others));
    const finding = await checkSearchAttributes(asked({ namespace, isFixing: true }));
    expect(finding).toMatchObject({ state: 'fault', belongsTo: 'operator' });
    expect(finding.words).toContain('could not be registered from here: ');
    expect(finding.mend).toContain(`temporal operator search-attribute create -n ${namespace} `);
  });

  it('is not mended where one of them is of another type', async () => {
    const namespace = await newNamespace({ SteadfastStatus: types.text });
    const finding = await checkSearchAttributes(asked({ namespace, isFixing: true }));
    expect(finding.words).toContain('SteadfastStatus registered with another type than Keyword');
    expect(finding.mend).toMatch(/remove -n \S+ --name SteadfastStatus --yes$/);
  });
});

it('a namespace that is not there is one sentence, and nothing else of it is checked', async () => {
  const { code, stdout } = await runCli(['doctor', '--json'], {
    TEMPORAL_ADDRESS: temporalAddress(),
    TEMPORAL_NAMESPACE: 'nowhere',
  });
  const findings: { name: string; state: string; words: string; mend: string }[] =
    JSON.parse(stdout).findings;
  const namespace = findings.find(({ name }) => name === 'Namespace');
  expect(namespace).toMatchObject({ state: 'fault', words: '"nowhere" is not there' });
  expect(namespace?.mend).toMatch(
    /: temporal operator namespace create -n nowhere --retention 30d$/,
  );
  const left = findings.filter(({ words }) => words.endsWith('the namespace cannot be used'));
  expect(left.map(({ name }) => name)).toEqual([
    'Retention',
    'Search attributes',
    'Workers',
    'Schedules',
  ]);
  expect(code).toBe(2);
});

describe('workers', () => {
  it('are counted on each queue', async () => {
    const { taskQueue } = await serve(scriptedCustody({}));
    const look = () => checkWorkers(asked({ taskQueue }));
    // Each poller is there in its own time.
    const isServed = async () => (await look()).every(({ state }) => state === 'fine');
    while (!(await isServed())) await sleep(100);
    const findings = await look();
    expect(findings.map(({ name }) => name)).toEqual([
      'Worker for workflows',
      'Worker for reads',
      'Worker for writes',
    ]);
    expect(findings[2]?.words).toMatch(/^\d+ on queue "\S+-writes"$/);
  });

  it('that lack the receiver of ends are told, where this environment has one', async () => {
    const custody = scriptedCustody({});
    const lacking = await serve(custody);
    const ofAnswers = async ({ taskQueue }: { taskQueue: string }) =>
      (await checkWorkers(asked({ taskQueue, answers: true }))).at(-1);
    expect(await ofAnswers(lacking)).toMatchObject({
      name: 'Worker for answers',
      state: 'fault',
      belongsTo: 'operator',
      words: `nobody serves queue "${lacking.taskQueue}-answers", so no end is told`,
      mend: expect.stringContaining('for the workers of the role workflows, too'),
    });
    const url = new URL('http://127.0.0.1:1/');
    const receiver = receiverFor({ url, keys: [Buffer.alloc(32, 1)], isPrivate: true });
    const having = await serve(custody, { receiver });
    while ((await ofAnswers(having))?.state !== 'fine') await sleep(100);
    await receiver.close();
  });

  it('of a deployment get no new orders until their build is the current one', async () => {
    const name = `doctor-${randomUUID()}`;
    const deployment = { name, buildId: 'one', isPinned: true };
    const { taskQueue } = await serve(scriptedCustody({}), { deployment });
    const ofDeployment = async () => (await checkWorkers(asked({ taskQueue }))).at(-1);
    const version = { namespace: 'default', deploymentName: name, identity: 'operator' };
    const setCurrent = (buildId: string) =>
      connection.workflowService.setWorkerDeploymentCurrentVersion({ ...version, buildId });
    // Temporal hears of a deployment a moment after its workers are there.
    while (!(await ofDeployment())?.words.includes('has no current build')) {
      await sleep(100);
    }
    const before = await ofDeployment();
    expect(before).toMatchObject({ name: `Deployment ${name}`, state: 'fault' });
    expect(before?.mend).toMatch(/set-current-version -n default \S+ doctor-\S+ --build-id one$/);
    await setCurrent('one');
    const after = await ofDeployment();
    expect(after).toMatchObject({ state: 'fine', words: 'new orders go to build one' });
  });
});
