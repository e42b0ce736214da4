import { setTimeout as sleep } from 'node:timers/promises';
import type { CustodyApi } from '../../../../../src/custody/endpoints';
import { RefusedError } from '../../../../../src/custody/errors';
import { createServe, type Orders } from '../../../../support/orders';
import { newLines, paidOnChain, payers, payoutOf } from '../../../../support/payouts';
import { inSandbox } from '../../../../support/sandbox';
import { resetTo } from '../../../../support/traps/reset';

const sandbox = inSandbox();
const serve = createServe();

type Lines = ReturnType<typeof newLines>;

/** Number of logs of each line. */
async function logsOf(lines: Lines): Promise<number[]> {
  const paid = await paidOnChain(sandbox, lines);
  return Object.values(paid).map((hashes) => hashes.length);
}

async function untilSent(lines: Lines, count: number): Promise<void> {
  const sent = async () => (await logsOf(lines)).reduce((sum, one) => sum + one, 0);
  while ((await sent()) < count) await sleep(50);
}

/** The events of the first part, and the run that they are of. */
async function partOf({ client }: Orders, workflowId: string) {
  const id = `${workflowId}:shard:1`;
  const handle = client.workflow.getHandle(id);
  const { runId } = await handle.describe();
  const { events } = await handle.fetchHistory();
  return { run: { id, runId }, events: events ?? [] };
}

describe('a part that is reset pays each line once', () => {
  test('also where it is reset to the question for the gas of a batch, which was halved then', async () => {
    const { client, baseUrl, rpcUrl: chainRpcUrl } = sandbox;
    let isRefusing = true;
    const custody: CustodyApi = {
      ...client,
      estimateExecution: async (...call) => {
        const [calls] = call[0].abiParameters ?? [];
        if (isRefusing && Array.isArray(calls) && calls.length === 4) {
          throw new RefusedError('execution reverted', { status: 400, code: 177006 });
        }
        return client.estimateExecution(...call);
      },
    };
    const orders = await serve(custody, { baseUrl, chainRpcUrl, lookupGraceMs: 2_000 });
    const lines = newLines(4);
    const order = payoutOf(await payers(sandbox, 'EOA'), { batch: { linesMax: 4 } });
    const { workflowId, receipt } = await orders.steadfast.payout(order, lines);
    await untilSent(lines, 4);
    isRefusing = false;
    const { run, events } = await partOf(orders, workflowId);
    const asked = events
      .map((event) => event.activityTaskScheduledEventAttributes)
      .find((activity) => activity?.activityType?.name === 'sizeBatches');
    const boundary = Number(asked?.workflowTaskCompletedEventId);
    await resetTo(orders, run, { boundary, reapply: true });
    expect(await receipt()).toMatchObject({ paid: 4 });
    expect(await logsOf(lines)).toEqual([1, 1, 1, 1]);
  });

  test('also where it is reset to the time before a skip that has dissolved a batch', async () => {
    const { client, baseUrl, rpcUrl: chainRpcUrl } = sandbox;
    let calls = 0;
    let afterThird = async (): Promise<void> => {};
    const custody: CustodyApi = {
      ...client,
      executeContract: async (...call) => {
        const answer = await client.executeContract(...call);
        calls += 1;
        if (calls === 3) await afterThird();
        return answer;
      },
    };
    const orders = await serve(custody, { baseUrl, chainRpcUrl, lookupGraceMs: 2_000 });
    const lines = newLines(12);
    const batches = { batch: { linesMax: 4 }, linesPerS: 0.5 };
    const order = payoutOf(await payers(sandbox, 'EOA'), batches);
    const { workflowId, receipt } = await orders.steadfast.payout(order, lines);
    await untilSent(lines, 4);
    const { run, events } = await partOf(orders, workflowId);
    const decided = events.filter((event) => event.workflowTaskCompletedEventAttributes);
    const boundary = Number(decided.at(-1)?.eventId);
    await orders.steadfast.skip(workflowId, [lines[7]?.lineId ?? ''], 'not wanted');
    afterThird = () => resetTo(orders, run, { boundary, reapply: false }).then(() => {});
    await orders.steadfast.rate(workflowId, null);
    // The reset has forgotten the skip, so the line is paid.
    expect(await receipt()).toMatchObject({ paid: 12 });
    expect(await logsOf(lines)).toEqual(lines.map(() => 1));
  });
});
