import { bothHashes, deploymentOf } from '../flows/deployments';
import type { Order, Play } from '../flows/flow';
import { transferFrom } from '../flows/transfers';
import { fundedWallet } from '../flows/wallets';
import type { Lane } from '../lane';
import { ended, otherTransfer, startPlainly } from './caller';

/** A transfer fails on the chain, and is resubmitted. */
export async function prepareResubmitted(lane: Lane, order: Order): Promise<Play> {
  const wallet = await fundedWallet(lane, 'EOA');
  await lane.decide(wallet.id, 'failOnChain');
  const play = transferFrom(wallet, lane, order);
  return {
    ...play,
    isResubmitted: true,
    start: async () => {
      await play.start();
      await ended(lane, order.name);
      await lane.steadfast.resubmit(order.name);
    },
  };
}

/** A deployment fails on the chain, and is resubmitted. The mint after it is a first attempt. */
export async function prepareDeployedAnew(lane: Lane, order: Order): Promise<Play> {
  const wallet = await fundedWallet(lane, 'EOA');
  await lane.decide(wallet.id, 'failOnChain');
  const { deployment, effects } = deploymentOf(order);
  const body = { ...deployment, walletId: wallet.id };
  return {
    effects,
    hashes: bothHashes,
    isResubmitted: true,
    start: async () => {
      await lane.steadfast.start('deployContract', order.name, body);
      await ended(lane, order.name);
      await lane.steadfast.resubmit(order.name);
    },
  };
}

/** Another order has the id of a resubmitted order, followed by the number of an attempt. */
export async function prepareNumberedIds(lane: Lane, order: Order): Promise<Play> {
  const [play, wallet] = [await prepareResubmitted(lane, order), await fundedWallet(lane, 'EOA')];
  const other = otherTransfer(wallet, order);
  const otherId = `${order.name}:1`;
  return {
    ...play,
    effects: [...play.effects, other.effect],
    start: async () => {
      await play.start();
      await ended(lane, order.name);
      await startPlainly(lane, otherId, other.body);
      await ended(lane, otherId);
    },
  };
}
