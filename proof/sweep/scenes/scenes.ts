import type { Flow, Order, Play } from '../flows/flow';
import { flows } from '../flows/flows';
import { unlessDone } from '../flows/intents';
import { transferFrom } from '../flows/transfers';
import { fundedWallet } from '../flows/wallets';
import type { Lane, LaneOptions } from '../lane';
import { prepareDeployedAnew, prepareNumberedIds, prepareResubmitted } from './attemptedAnew';
import { comeBy } from './caller';
import { prepareDecided } from './decided';
import { prepareKeyless, prepareRecut, prepareRefilled } from './payoutAgain';
import type { Scene } from './scene';
import { prepareLongList, prepareUnlisted } from './startedAgain';
import { prepareForgottenId, prepareUsedId } from './usedId';

/** A run continues as new whenever it may. */
const shortHistories: LaneOptions = {
  dynamicConfig: { 'limit.historyCount.suggestContinueAsNew': '12' },
};
/** The worker has no chain, only the service. */
const withoutChain: LaneOptions = { workerEnv: { CHAIN_RPC_URL: '' } };

const isSending = { call: 'service createTransfer', nth: 1, point: 'before' } as const;
const isSent = { call: 'service createTransfer', nth: 1, point: 'between' } as const;

/**
 * Scenes beside kills at each boundary, by name. In each of them only one of an order's records of
 * its writes is left.
 */
export const scenes = {
  serviceLost: {
    flow: flowNamed('transfer, EOA'),
    crash: { at: isSent, kills: ['sandbox'] },
  },
  workerLost: {
    flow: flowNamed('transfer, EOA'),
    crash: { at: isSent, kills: ['worker'] },
  },
  cancelledAsSent: {
    flow: { name: 'transfer, cancelled as it is sent', prepare: prepareCancelledAsSent },
    crash: { at: isSent, kills: ['worker'] },
  },
  cancelledLate: {
    flow: flowNamed('transfer, cancelled too late'),
    crash: 'service cancelTransaction · after · nothing killed',
  },
  garbled: {
    flow: { name: 'transfer, its answer garbled', prepare: prepareGarbled },
    crash: 'service createTransfer · between · answer garbled',
  },
  unlisted: {
    flow: { name: 'transfer, started again before it is listed', prepare: prepareUnlisted },
    crash: 'service createTransfer · between · run terminated',
  },
  longList: {
    flow: { name: 'transfer, started again after many others', prepare: prepareLongList },
    crash: 'activity createTransfer completed · after · run terminated, key forgotten',
  },
  usedId: {
    flow: { name: 'another transfer under a used id', prepare: prepareUsedId },
    crash: 'workflow task: complete · after · key forgotten',
  },
  forgottenId: {
    flow: { name: 'another transfer under a forgotten id', prepare: prepareForgottenId },
    crash: 'workflow task: complete · after · run deleted',
    stack: withoutChain,
  },
  deployedAnew: {
    flow: { name: 'deploy and mint, resubmitted', prepare: prepareDeployedAnew },
    crash: 'workflow task: fail · after · nothing killed',
  },
  resubmitted: {
    flow: { name: 'transfer, resubmitted, short histories', prepare: prepareResubmitted },
    crash: 'workflow task: continue as new · after · nothing killed',
    stack: shortHistories,
  },
  numberedIds: {
    flow: { name: 'transfer, resubmitted, beside one with a like id', prepare: prepareNumberedIds },
    crash: 'workflow task: fail · after · nothing killed',
  },
  decided: {
    flow: { name: 'transfer, decided by a person', prepare: prepareDecided },
    crash: 'workflow task: complete · after · run reset',
  },
  recut: {
    flow: { name: 'payout, uploaded again in other parts', prepare: prepareRecut },
    crash: 'workflow task: complete · after · payout and part deleted',
  },
  refilled: {
    flow: { name: 'payout, started again from other balances', prepare: prepareRefilled },
    crash: 'service createTransfer · between · payout and part terminated, key forgotten',
  },
  keyless: {
    flow: { name: 'payout, short histories', prepare: prepareKeyless },
    crash: 'workflow task: continue as new · after · key forgotten',
    stack: shortHistories,
  },
  backfilled: {
    flow: flowNamed('period of a schedule'),
    crash: 'temporal PatchSchedule · after · nothing killed',
  },
} satisfies Record<string, Scene>;

export type SceneName = keyof typeof scenes;

function flowNamed(name: string): Flow {
  const found = flows.find((flow) => flow.name === name);
  if (found === undefined) throw new Error(`There is no flow "${name}".`);
  return found;
}

/** The service accepts the transfer, and its answer is no JSON. */
async function prepareGarbled(lane: Lane, order: Order): Promise<Play> {
  const wallet = await fundedWallet(lane, 'EOA');
  await lane.decide(wallet.id, 'malformed');
  return transferFrom(wallet, lane, order);
}

/** The cancellation comes before it is known if the service accepted the transfer. */
async function prepareCancelledAsSent(lane: Lane, order: Order): Promise<Play> {
  const play = transferFrom(await fundedWallet(lane, 'EOA'), lane, order);
  return {
    ...play,
    isCancelled: true,
    act: async () => {
      await comeBy(lane, order, isSending);
      await unlessDone(lane.steadfast.cancel(order.name, 'swept'));
    },
  };
}
