import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { createServe } from '../../support/orders';
import {
  transferOrder as order,
  type ScriptedCustody,
  scriptedCustody,
  transferRecord,
} from '../../support/service/scriptedCustody';

const serve = createServe();
const { id: transactionId } = transferRecord();

/** A transfer that is stuck until the service was asked for so many accelerations. */
function stuckUntil(enough: number): ScriptedCustody {
  let asked = 0;
  return scriptedCustody({
    accelerateTransaction: () => {
      asked += 1;
      return { id: transactionId };
    },
    getTransaction: () => ({
      transaction: transferRecord({ state: asked < enough ? 'STUCK' : 'COMPLETE' }),
    }),
  });
}

/** A transfer that settles when the test says so, at a service that answers late. */
function lateToAnswer() {
  let state: 'STUCK' | 'COMPLETE' = 'STUCK';
  const answers: ((answer: { id: string }) => void)[] = [];
  const custody = scriptedCustody({
    accelerateTransaction: () => new Promise((resolve) => answers.push(resolve)),
    getTransaction: () => ({ transaction: transferRecord({ state }) }),
  });
  const settle = () => {
    state = 'COMPLETE';
  };
  const answer = () => {
    for (const resolve of answers) resolve({ id: transactionId });
  };
  return { custody, settle, answer };
}

async function settling(custody: ScriptedCustody) {
  const orders = await serve(custody);
  const id = `transfer:${randomUUID()}`;
  const started = await orders.steadfast.start('transferStablecoin', id, order);
  await orders.progress(id, ({ waitingFor }) => waitingFor.includes('STUCK'));
  return { ...orders, id, started };
}

describe('a transaction that is to settle sooner', () => {
  test.concurrent('is accelerated each time under a key of its own', async () => {
    const custody = stuckUntil(2);
    const { steadfast, id, started } = await settling(custody);
    expect(await steadfast.accelerate(id)).toContain('was asked to accelerate transaction');
    expect(await steadfast.accelerate(id)).toContain('was asked to accelerate transaction');
    expect((await started.receipt()).state).toBe('COMPLETE');
    const calls = custody.calls('accelerateTransaction').map(({ input }) => input);
    expect(calls.map((input) => input.id)).toEqual([transactionId, transactionId]);
    const keys = [...calls, ...custody.calls('createTransfer').map(({ input }) => input)];
    expect(new Set(keys.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(3);
    const { progress } = await steadfast.status(id);
    const noted = progress?.timeline.map(({ kind, words }) => `${kind}: ${words}`);
    expect(noted).toContain(`asked: to be accelerated: ${transactionId}`);
    expect(noted?.join()).toContain('the service was asked to accelerate it');
  });

  test.concurrent('is accelerated also by a worker that began after it was sent', async () => {
    const { steadfast, id, started, restart } = await settling(stuckUntil(1));
    await restart();
    expect(await steadfast.accelerate(id)).toContain('was asked to accelerate transaction');
    expect((await started.receipt()).state).toBe('COMPLETE');
  });

  test.concurrent('is asked for once at a time, and answered when it is final', async () => {
    const { custody, settle, answer } = lateToAnswer();
    const { client, steadfast, id, started } = await settling(custody);
    const first = steadfast.accelerate(id);
    const told = expect(first).rejects.toThrow(/^The transfer of .* is final by now\.$/);
    while (custody.calls('accelerateTransaction').length === 0) await sleep(20);
    await expect(steadfast.accelerate(id)).rejects.toThrow('is being accelerated already');
    settle();
    await client.workflow.getHandle(id).signal('wake');
    expect((await started.receipt()).state).toBe('COMPLETE');
    await told;
    answer();
    expect(custody.calls('accelerateTransaction')).toHaveLength(1);
  });
});
