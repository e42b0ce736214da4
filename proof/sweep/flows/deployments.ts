import { toBaseUnits } from '../../../src/custody/objects/amount';
import type { Lane } from '../lane';
import type { Effect, Hashes, Order, Play } from './flow';
import { amountOf } from './money';
import { fundedWallet, newAddress } from './wallets';

const tokenDecimals = 18;

/** A wallet of ours deploys a token, and mints its first supply. */
export async function prepareDeployment(lane: Lane, order: Order): Promise<Play> {
  const wallet = await fundedWallet(lane, 'EOA');
  const { deployment, effects } = deploymentOf(order);
  const body = { ...deployment, walletId: wallet.id };
  return {
    start: () => lane.steadfast.start('deployContract', order.name, body),
    effects,
    hashes: bothHashes,
  };
}

/** From nothing to a token with a supply. */
export async function prepareDeploymentSequence(lane: Lane, order: Order): Promise<Play> {
  const { deployment, effects } = deploymentOf(order);
  return {
    start: () => lane.steadfast.start('deploymentSequence', order.name, deployment),
    effects,
    hashes: bothHashes,
  };
}

/** A deployment with a first supply, and its two effects. */
export function deploymentOf({ name, number }: Order) {
  const [to, amount] = [newAddress(), amountOf({ number })];
  const deployment = {
    name,
    template: 'fungible',
    mint: { to, amount },
    parameters: { name, symbol: 'SWEEP' },
  };
  const value = toBaseUnits(amount, tokenDecimals);
  const effects: Effect[] = [
    { what: 'deployment', name },
    { what: 'mint', to, value },
  ];
  return { deployment, effects };
}

/** The hash of the deployment, and of the mint that follows. */
export function bothHashes(receipt: Hashes) {
  return [receipt.txHash, receipt.supply?.mintTxHash];
}
