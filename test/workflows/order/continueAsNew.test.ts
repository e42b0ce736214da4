import { setTimeout as sleep } from 'node:timers/promises';
import { ordersIn } from '../../../src/client/temporal/ordersIn';
import { createServe } from '../../support/orders';
import {
  blockchain,
  recipient,
  scriptedCustody,
  sender,
  transferOrder,
  transferRecord,
} from '../../support/service/scriptedCustody';
import { inTemporal } from '../../support/temporal';

/** The server suggests a new run after a dozen events, so that a few polls are enough. */
const temporal = inTemporal({ 'limit.historyCount.suggestContinueAsNew': '12' });
const serve = createServe();

const wallet = (address: string) => ({
  ...sender,
  address,
  state: 'LIVE',
  walletSetId: sender.id,
  custodyType: 'DEVELOPER',
  blockchain,
  accountType: 'SCA',
  createDate: '',
  updateDate: '',
});
const usdc = {
  id: 'f9d68076-9d6b-5f37-a226-0b49cfa631d5',
  blockchain,
  isNative: false,
  tokenAddress: '0x3600000000000000000000000000000000000000',
  createDate: '',
  updateDate: '',
};

describe('an order with a long history', () => {
  test('goes on in new runs, and does nothing twice', async () => {
    const custody = scriptedCustody({
      createWalletSet: () => ({ walletSet: { id: sender.id } }),
      createWallets: () => ({ wallets: [wallet(sender.address), wallet(recipient)] }),
      requestDrip: () => ({}),
      // The funded money leaves the wallet when the transfer is accepted.
      listBalances: (_, call) => ({
        tokenBalances: call === 2 ? [{ amount: '20', token: usdc, updateDate: '' }] : [],
      }),
      getTransaction: (_, call) => ({
        transaction: transferRecord({ state: call < 4 ? 'PENDING' : 'COMPLETE' }),
      }),
    });
    const orders = await serve(custody, { address: temporal.address });
    const id = 'transfer:long';
    const order = { name: 'Long', amount: '5', token: 'USDC' };
    const started = await orders.steadfast.start('transferSequence', id, order);
    const receipt = await orders.client.workflow.getHandle(id).result();
    expect(receipt).toMatchObject({
      txHash: '0xabc',
      walletSetId: sender.id,
      funded: { balance: '20', source: 'faucet' },
      polls: 4,
    });
    const last = await orders.client.workflow.getHandle(id).describe();
    expect(last.runId).not.toBe(started.runId);
    for (const write of ['createWalletSet', 'createWallets', 'requestDrip', 'createTransfer']) {
      expect(custody.seen.filter(({ name }) => name === write)).toHaveLength(1);
    }
    const { startedAt } = await orders.steadfast.status(id);
    const { timeline } = await orders.progress(id, () => true);
    const first = await orders.client.workflow.getHandle(id, started.runId).describe();
    expect(startedAt).toBe(first.startTime.toISOString());
    const words = timeline.map((moment) => moment.words);
    expect(words[0]).toBe(`wallet set "Long" is ${sender.id}`);
    expect(words?.at(-1)).toContain('settled in 0xabc');
    expect(new Set(words).size).toBe(words?.length);
    const times = timeline.map(({ at = '' }) => at) ?? [];
    expect(times).toEqual([...times].sort());
    expect(times[0]?.localeCompare(last.startTime.toISOString())).toBe(-1);
  });

  test('is under way in a list of a time before its present run', async () => {
    let state = 'PENDING';
    const custody = scriptedCustody({
      getTransaction: () => ({ transaction: transferRecord({ state }) }),
    });
    const { steadfast, client } = await serve(custody, { address: temporal.address });
    const id = 'transfer:long-still';
    const started = await steadfast.start('transferStablecoin', id, transferOrder);
    const handle = client.workflow.getHandle(id);
    let run = await handle.describe();
    while (run.runId === started.runId) {
      await handle.signal('wake');
      await sleep(200);
      run = await handle.describe();
    }
    const untilMs = run.startTime.getTime();
    const isListed = async (): Promise<boolean> => {
      for await (const order of ordersIn(client, { fromMs: 0, untilMs }))
        if (order.id === id) return order.isRunning;
      return isListed();
    };
    expect(await isListed()).toBe(true);
    state = 'COMPLETE';
    await started.receipt();
  });
});
