import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { receivedIdOf } from '../../../src/notices/startReceived';
import { progressOf } from '../judge/observe';
import type { Lane, NoticeRule } from '../lane';
import type { Flow, Order, Play } from './flow';
import { unlessDone } from './intents';
import { amountOf, moved, usdc } from './money';
import { transferFrom } from './transfers';
import { blockchain, createWallet, fundedWallet } from './wallets';

/** The service repeats a notice soon, and for longer than a killed receiver is away. */
const webhookRetryMs = [300, 500, 1_000, ...Array.from({ length: 17 }, () => 3_000)];
const lookMs = 300;

type Prepare = Flow['prepare'];

/** The same flow where the service repeats notices until they are answered. */
export function told(prepare: Prepare): Prepare {
  return async (lane, order) => {
    await lane.set({ webhookRetryMs });
    return prepare(lane, order);
  };
}

/** A transfer whose notices come in such a way. */
export function toldOddly(rule: NoticeRule): Prepare {
  return told(async (lane, order) => {
    const wallet = await fundedWallet(lane, 'EOA');
    await lane.disturbNotices(wallet.id, rule);
    return transferFrom(wallet, lane, order);
  });
}

type Address = { id: string; address: string };
type Gift = { key: string; from: Address; to: Address };

/** Somebody else sends money to a wallet, with a reference of their own. */
async function give(lane: Lane, order: Order, { key, from, to }: Gift): Promise<void> {
  await lane.custody.createTransfer({
    idempotencyKey: key,
    walletId: from.id,
    destinationAddress: to.address,
    tokenAddress: usdc,
    blockchain,
    amounts: [amountOf(order)],
    feeLevel: 'MEDIUM',
    refId: `${order.name} gift`,
  });
}

/** An order waits for money from anyone, and somebody sends it. */
export async function prepareGift(lane: Lane, order: Order): Promise<Play> {
  const [from, to] = await Promise.all([fundedWallet(lane, 'EOA'), createWallet(lane, 'EOA')]);
  const [key, amount] = [randomUUID(), amountOf(order)];
  lane.gate.learn(to.address, order.name);
  const wallet = { walletId: to.id };
  const body = { wallet, amount, token: 'USDC', source: 'external' as const };
  let hasAsked = false;
  return {
    start: () => lane.steadfast.start('fundWallet', order.name, body),
    effects: [moved({ from: from.address, to: to.address, amount })],
    hashes: () => [undefined],
    act: async () => {
      while (!hasAsked) {
        hasAsked = (await progressOf(lane, order.name)).status === 'Waiting';
        await sleep(lookMs);
      }
      await give(lane, order, { key, from, to });
    },
  };
}

/**
 * A transfer to another wallet of ours. A workflow of the backend must be started once for what it
 * receives. It is closed at once, since a start under a closed id is the easier mistake.
 */
export function prepareReceived(rule?: NoticeRule): Prepare {
  return told(async (lane, order) => {
    const [from, to] = await Promise.all([fundedWallet(lane, 'EOA'), createWallet(lane, 'EOA')]);
    lane.gate.learn(to.address, order.name);
    if (rule !== undefined) await lane.disturbNotices(to.id, rule);
    const amount = amountOf(order);
    const walletId = { walletId: from.id };
    const body = { from: walletId, to: to.address, amount, token: 'USDC' };
    let hasBegun = false;
    return {
      start: () => lane.steadfast.start('transferStablecoin', order.name, body),
      effects: [moved({ from: from.address, to: to.address, amount })],
      hashes: ({ txHash }) => [txHash],
      isUnfinished: () => !hasBegun,
      act: async () => {
        while ((await startsFor(lane, to)).length === 0) await sleep(lookMs);
        for (const id of await startsFor(lane, to)) {
          await unlessDone(lane.observer.workflow.getHandle(id).terminate('received'));
        }
        hasBegun = true;
      },
      twice: async () => {
        const starts = await startsFor(lane, to);
        if (starts.length <= 1) return undefined;
        return `${starts.length} workflows were started: ${starts.join(', ')}`;
      },
    };
  });
}

/** The starts of the backend's workflow for all that a wallet has received. */
async function startsFor({ custody, observer }: Lane, to: Address): Promise<string[]> {
  const { transactions } = await custody.listTransactions({
    walletIds: to.id,
    txType: 'INBOUND',
    includeAll: true,
  });
  const starts: string[] = [];
  for (const { id } of transactions) {
    const query = `WorkflowId = '${receivedIdOf(id)}'`;
    for await (const { workflowId } of observer.workflow.list({ query })) starts.push(workflowId);
  }
  return starts;
}
