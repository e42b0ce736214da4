import { randomUUID } from 'node:crypto';
import { NoAnswerError, NotSentError, RefusedError } from '../../../src/custody/errors';
import type { Balance } from '../../../src/custody/objects/token';
import { createServe, type Orders, startPermissively } from '../../support/orders';
import {
  blockchain,
  codeAnswers,
  transferOrder as order,
  recipient,
  scriptedCustody,
  sender,
  transferRecord,
} from '../../support/service/scriptedCustody';
import { inTemporal } from '../../support/temporal';

const newId = (): string => `transfer:${randomUUID()}`;
const noFunds = () => new RefusedError('no funds', { status: 400, code: 155258 });
const accepted = { id: transferRecord().id, state: 'INITIATED' };
const serve = createServe();

/** A server that finds a history long after two dozen events. */
const shortHistories = inTemporal({ 'limit.historyCount.suggestContinueAsNew': '24' });

/** Resets the run of an order to a workflow task: the first one after the guard is number 2. */
async function reset({ client }: Orders, workflowId: string, task = 2): Promise<string> {
  const { events = [] } = await client.workflow.getHandle(workflowId).fetchHistory();
  const tasks = (events ?? []).filter(({ workflowTaskCompletedEventAttributes: task }) => task);
  const { runId } = await client.workflowService.resetWorkflowExecution({
    namespace: 'default',
    workflowExecution: { workflowId },
    workflowTaskFinishEventId: tasks[task - 1]?.eventId ?? null,
    requestId: randomUUID(),
    reason: 'a test',
  });
  return runId;
}

describe('what is known of a write', () => {
  test.concurrent('outlives continue-as-new, so that a refusal after it proves nothing', async () => {
    let calls = 0;
    const custody = scriptedCustody({
      createTransfer: () => {
        calls += 1;
        return calls === 1 ? new NoAnswerError('lost') : noFunds();
      },
    });
    const orders = await serve(custody, { address: shortHistories.address });
    const id = newId();
    const { runId } = await orders.steadfast.start('transferStablecoin', id, order);
    const handle = orders.client.workflow.getHandle(id);
    // Each wake is one more try under the same key, until the history is long.
    for (let run = runId; run === runId; run = (await handle.describe()).runId) {
      await orders.progress(id, ({ status }) => status === 'Unknown');
      await handle.signal('wake');
      await new Promise((resolve) => setTimeout(resolve, 300));
    }
    const progress = await orders.progress(id, ({ status }) => status === 'Unknown');
    expect(progress.waitingFor).toContain('no funds');
    await handle.terminate();
  });

  test.concurrent('is in the memo after continue-as-new, where the next start looks', async () => {
    const pending = { transaction: transferRecord({ state: 'PENDING' }) };
    const custody = scriptedCustody({
      getTransaction: (_, call) => (call < 4 ? pending : { transaction: transferRecord() }),
    });
    const orders = await serve(custody, { address: shortHistories.address });
    const id = newId();
    const started = await orders.steadfast.start('transferStablecoin', id, order);
    const first = await orders.client.workflow.getHandle(id).result();
    const last = await orders.client.workflow.getHandle(id).describe();
    expect(last.runId).not.toBe(started.runId);
    const again = await startPermissively(orders, id, order);
    expect(await again.result()).toEqual(first);
    expect(custody.calls('createTransfer')).toHaveLength(1);
  });

  test.concurrent('is ambiguous after a reset, whatever the first run knew', async () => {
    const custody = scriptedCustody({
      createTransfer: (_, call) => (call === 1 ? accepted : noFunds()),
      getTransaction: () => ({ transaction: transferRecord({ state: 'PENDING' }) }),
    });
    const orders = await serve(custody);
    const id = newId();
    await orders.steadfast.start('transferStablecoin', id, order);
    await orders.progress(id, ({ status }) => status === 'Settling');
    await reset(orders, id);
    const progress = await orders.progress(id, ({ status }) => status === 'Unknown');
    expect(progress.waitingFor).toContain('no funds');
    await orders.client.workflow.getHandle(id).terminate();
  });

  test.concurrent('is carried through a reset of what was reset before', async () => {
    const custody = scriptedCustody();
    const orders = await serve(custody);
    const id = newId();
    const started = await orders.steadfast.start('transferStablecoin', id, order);
    const first = await started.receipt();
    const again = (): Promise<unknown> => orders.client.workflow.getHandle(id).result();
    await reset(orders, id);
    expect(await again()).toEqual(first);
    // Behind the point where the second run began to doubt what the first had done.
    await reset(orders, id, 3);
    expect(await again()).toEqual(first);
    const keys = custody.calls('createTransfer').map(({ input }) => input.idempotencyKey);
    expect(new Set(keys).size).toBe(1);
  });

  test.concurrent('counts for an order as a whole: refused means that nothing was accepted', async () => {
    const wallets = [
      { ...sender, address: sender.address },
      { ...sender, address: recipient },
    ].map((wallet) => ({
      ...wallet,
      state: 'LIVE',
      walletSetId: sender.id,
      custodyType: 'DEVELOPER',
      blockchain,
      createDate: '',
      updateDate: '',
    }));
    const custody = scriptedCustody({
      createWalletSet: () => ({ walletSet: { id: sender.id } }),
      createWallets: () => ({ wallets }),
      requestDrip: () => ({}),
      listBalances: () => ({ tokenBalances: [held('20')] }),
      createTransfer: (_, call) => (call < 3 ? noFunds() : accepted),
    });
    const { steadfast } = await serve(custody);
    const sequence = { name: 'Half-way', amount: '5', token: 'USDC' };
    const id = newId();
    const failed = { outcome: 'failed', message: 'no funds', made: { walletSetId: sender.id } };
    await expect(steadfast.execute('transferSequence', id, sequence)).rejects.toMatchObject(failed);
    // All writes of the first run are known, so a second refusal is final, and not unknown.
    await expect(steadfast.execute('transferSequence', id, sequence)).rejects.toMatchObject(failed);
    expect((await steadfast.execute('transferSequence', id, sequence)).txHash).toBe('0xabc');
    const keys = custody.calls('createWalletSet').map(({ input }) => input.idempotencyKey);
    expect(new Set(keys).size).toBe(1);
  });
});

describe('an account of an earlier run', () => {
  test.concurrent('is overruled by a later run that ended without one', async () => {
    const custody = scriptedCustody({
      createTransfer: (_, call) => (call === 2 ? new NoAnswerError('lost') : noFunds()),
    });
    const orders = await serve(custody);
    const id = newId();
    const refused = { outcome: 'refused' };
    await expect(orders.steadfast.execute('transferStablecoin', id, order)).rejects.toMatchObject(
      refused,
    );
    await orders.steadfast.start('transferStablecoin', id, order);
    await orders.progress(id, ({ status }) => status === 'Unknown');
    await orders.client.workflow.getHandle(id).terminate();
    await orders.steadfast.start('transferStablecoin', id, order);
    const progress = await orders.progress(id, ({ status }) => status === 'Unknown');
    expect(progress.waitingFor).toContain('no funds');
    await orders.client.workflow.getHandle(id).terminate();
  });
});

describe('a mint to the wallet that mints', () => {
  test.concurrent('is no mistake, as a transfer to its sender would be', async () => {
    const answers = codeAnswers();
    const custody = scriptedCustody({
      queryContract: ({ abiFunctionSignature }) => answers(abiFunctionSignature),
      executeContract: () => accepted,
      getTransaction: () => ({
        transaction: transferRecord({ amounts: [], contractAddress: recipient }),
      }),
    });
    const { steadfast } = await serve(custody);
    const own = { to: sender.address, amount: '5' };
    const mint = { walletId: sender.id, contractAddress: recipient, ...own };
    const receipt = await steadfast.execute('mintTokens', `mint:${randomUUID()}`, mint);
    expect(receipt.to).toBe(sender.address);
    await expect(
      steadfast.execute('transferStablecoin', newId(), { ...order, ...own }),
    ).rejects.toMatchObject({ outcome: 'refused', message: expect.stringContaining('to: ') });
  });
});

describe('a mint that has settled', () => {
  test.concurrent.each([
    ['is mended', '100'],
    ['fails for ever', '5'],
  ])('is completed, where the read of its supply %s', async (how, after) => {
    const gone = new RefusedError('query failed', { status: 400, code: 175012 });
    const answers = codeAnswers();
    let mended = false;
    const custody = scriptedCustody({
      queryContract: ({ abiFunctionSignature }, call) => {
        if (call > 3 && !mended) return gone;
        return answers(abiFunctionSignature);
      },
      executeContract: () => accepted,
      getTransaction: () => ({
        transaction: transferRecord({ amounts: [], contractAddress: recipient }),
      }),
    });
    const orders = await serve(custody);
    const id = `mint:${randomUUID()}`;
    const mint = {
      walletId: sender.id,
      contractAddress: recipient,
      to: sender.address,
      amount: '5',
    };
    const started = await orders.steadfast.start('mintTokens', id, mint);
    await orders.progress(id, ({ timeline }) => timeline.some(({ kind }) => kind === 'trouble'));
    const handle = orders.client.workflow.getHandle(id);
    await handle.executeUpdate('cancel', { args: [{ reason: 'give up' }] });
    mended = how === 'is mended';
    await handle.signal('wake');
    expect(await started.receipt()).toMatchObject({ txHash: '0xabc', supply: { after } });
  });
});

describe('a write that must not be sent', () => {
  test.concurrent('is not sent once validUntil has passed between two tries', async () => {
    const custody = scriptedCustody({ createTransfer: () => new NotSentError('nobody listens') });
    const { steadfast } = await serve(custody);
    const validUntil = new Date(Date.now() + 10_000).toISOString();
    await expect(
      steadfast.execute('transferStablecoin', newId(), { ...order, validUntil }),
    ).rejects.toMatchObject({
      outcome: 'refused',
      message: `validUntil: ${validUntil} has passed, so the transfer is not sent.`,
    });
  });

  test.concurrent('is not sent to another service than the order was opened for', async () => {
    const one = await serve(scriptedCustody({ createTransfer: () => new NoAnswerError('lost') }), {
      baseUrl: 'http://one',
    });
    const id = newId();
    await one.steadfast.start('transferStablecoin', id, order);
    await one.progress(id, ({ waitingFor }) => waitingFor.startsWith('lost'));
    const other = scriptedCustody();
    await one.replace(other, { baseUrl: 'http://other' });
    const progress = await one.progress(id, ({ status }) => status === 'NeedsOperator');
    expect(progress.waitingFor).toContain('opened for http://one, but this worker drives');
    expect(other.calls('createTransfer')).toHaveLength(0);
    await one.client.workflow.getHandle(id).terminate();
  });

  test.concurrent('cannot be cancelled by a later run while an earlier one may have sent', async () => {
    const custody = scriptedCustody({
      createTransfer: (_, call) => (call === 1 ? new NoAnswerError('lost') : noFunds()),
    });
    const orders = await serve(custody);
    const id = newId();
    const handle = orders.client.workflow.getHandle(id);
    await orders.steadfast.start('transferStablecoin', id, order);
    await orders.progress(id, ({ status }) => status === 'Unknown');
    await handle.terminate();
    await orders.steadfast.start('transferStablecoin', id, order);
    await orders.progress(id, ({ status }) => status === 'Unknown');
    await handle.executeUpdate('cancel', { args: [{ reason: 'give up' }] });
    await handle.cancel();
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    expect((await handle.describe()).status.name).toBe('RUNNING');
    await handle.terminate();
  });
});

describe('a read that a person has to mend', () => {
  test.concurrent('is shown, and the order goes on when it is mended', async () => {
    const unauthorised = new RefusedError('401: key not found', { status: 401, code: 156007 });
    let mended = false;
    const custody = scriptedCustody({
      listBalances: () => (mended ? { tokenBalances: [held('20')] } : unauthorised),
    });
    const orders = await serve(custody);
    const id = newId();
    const fund = { wallet: { walletId: sender.id }, amount: '5', token: 'USDC' };
    const started = await orders.steadfast.start('fundWallet', id, fund);
    const progress = await orders.progress(id, ({ status }) => status === 'NeedsOperator');
    expect(progress.waitingFor).toMatch(/^401: key not found\. .*CUSTODY_API_KEY/);
    mended = true;
    await orders.client.workflow.getHandle(id).signal('wake');
    expect((await started.receipt()).balance).toBe('20');
  });
});

describe('an id', () => {
  test.concurrent('is not attached to when the order has another sender', async () => {
    const orders = await serve(scriptedCustody());
    const id = newId();
    await orders.steadfast.start('transferStablecoin', id, order);
    const other = { ...order, from: { walletId: '99999999-9999-4999-8999-999999999999' } };
    await expect(orders.steadfast.start('transferStablecoin', id, other)).rejects.toThrow(
      'belongs to another order: from was',
    );
  });
});

function held(amount: string): Balance {
  const token = {
    id: 'f9d68076-9d6b-5f37-a226-0b49cfa631d5',
    blockchain,
    isNative: false,
    tokenAddress: '0x3600000000000000000000000000000000000000',
    createDate: '',
    updateDate: '',
  };
  return { amount, token, updateDate: '' };
}
