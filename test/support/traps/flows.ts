import type { OrderKind } from '../../../src/client/client';
import { NoAnswerError, RefusedError } from '../../../src/custody/errors';
import { fromBaseUnits } from '../../../src/custody/objects/amount';
import { someone } from '../stages';
import type { Scene, Trouble } from './scene';

/** An order that is ready to start, and the movements that the chain must show at its end. */
export type Play = {
  kind: OrderKind;
  order: object;
  /** The workflow's end. */
  ends: 'COMPLETED' | 'CANCELLED';
  /** The number of times that the order's amount is moved. */
  moves: number;
  /** The amount in base units. No other order has it. */
  value: bigint;
  /** Acts of the order's owner or an operator, by the status in which they act. */
  act?: Partial<Record<string, Act>>;
};

type Act = { update: 'cancel' | 'resolve'; argument: () => Promise<object> | object };

export type Flow<P extends Play = Play> = {
  name: string;
  prepare(scene: Scene, id: string): Promise<P>;
};

let orders = 0;
const reason = { reason: 'changed our mind' };
const cancel: Act = { update: 'cancel', argument: () => reason };
const target = 'transfer/1#0';
const noEffect: Act = {
  update: 'resolve',
  argument: () => ({ target, finding: 'noEffect', evidence: 'it never left this machine' }),
};
const noFunds = () => new RefusedError('no funds', { status: 400, code: 155258 });
const lost = () => new NoAnswerError('lost');

export const flows: readonly Flow[] = [
  { name: 'a transfer', prepare: (scene) => newTransfer(scene) },
  { name: 'funds from a treasury', prepare: funding },
  { name: 'a transfer sequence', prepare: transferSequence },
  { name: 'a deployment sequence', prepare: deploymentSequence },
  { name: 'a transfer that is cancelled after its acceptance', prepare: cancelledAfter },
  { name: 'a transfer that is cancelled before it is sent', prepare: cancelledBefore },
  { name: 'a transfer that was found to be completed', prepare: resolvedAsCompleted },
  { name: 'a transfer that was found to have had no effect', prepare: resolvedAsNoEffect },
];

/** An amount a little over one unit that no other order has, so that a double payment shows. */
function newAmount(): { amount: string; value: bigint } {
  orders += 1;
  const value = BigInt(1_000_000 + orders);
  return { amount: fromBaseUnits(value, 6), value };
}

export async function newTransfer(
  { sandbox, troubles }: Pick<Scene, 'sandbox' | 'troubles'>,
  trouble?: Trouble,
): Promise<Play & { wallet: { id: string; address: string } }> {
  const wallet = await sandbox.fundedWallet('EOA');
  if (trouble !== undefined) troubles.set(wallet.address.toLowerCase(), trouble);
  const { amount, value } = newAmount();
  const order = { from: { walletId: wallet.id }, to: someone(), amount, token: 'USDC' };
  return { kind: 'transferStablecoin', order, ends: 'COMPLETED', moves: 1, value, wallet };
}

/** A transfer that the service denies, until the test decides otherwise. */
export const denied = {
  name: 'a transfer that is denied',
  prepare: async (scene: Scene) => {
    const play = await newTransfer(scene);
    await scene.decide(play.wallet.id, 'denied');
    return play;
  },
};

async function funding({ sandbox }: Scene): Promise<Play> {
  const treasury = await sandbox.fundedWallet('EOA');
  const wallet = await sandbox.wallet('EOA');
  const { amount, value } = newAmount();
  const order = {
    wallet: { walletId: wallet.id },
    source: { walletId: treasury.id },
    amount,
    token: 'USDC',
  };
  return { kind: 'fundWallet', order, ends: 'COMPLETED', moves: 1, value };
}

async function transferSequence(_: Scene, id: string): Promise<Play> {
  const { amount, value } = newAmount();
  const order = { name: id, amount, token: 'USDC', accountType: 'EOA' };
  return { kind: 'transferSequence', order, ends: 'COMPLETED', moves: 1, value };
}

async function deploymentSequence(_: Scene, id: string): Promise<Play> {
  const { amount, value: units } = newAmount();
  const order = {
    name: id,
    template: 'fungible',
    mint: { to: someone(), amount },
    parameters: { name: id, symbol: 'TRAP' },
  };
  const value = units * 10n ** 12n;
  return { kind: 'deploymentSequence', order, ends: 'COMPLETED', moves: 1, value };
}

/** A contract of the wallet, and its supply. */
export function deployment<W extends { id: string }>(wallet: W, id: string): Play & { wallet: W } {
  const { amount, value: units } = newAmount();
  const order = {
    walletId: wallet.id,
    name: id,
    template: 'fungible',
    mint: { to: someone(), amount },
    parameters: { name: id, symbol: 'TRAP' },
  };
  const value = units * 10n ** 12n;
  return { kind: 'deployContract', order, ends: 'COMPLETED', moves: 1, value, wallet };
}

async function cancelledAfter(scene: Scene): Promise<Play> {
  const play = await newTransfer(scene);
  await scene.decide(play.wallet.id, 'stuck');
  return { ...play, ends: 'CANCELLED', moves: 0, act: { Settling: cancel } };
}

async function cancelledBefore(scene: Scene): Promise<Play> {
  const unauthorised = new RefusedError('no such key', { status: 401, code: 156007 });
  const play = await newTransfer(scene, async () => {
    throw unauthorised;
  });
  const act = { NeedsOperator: cancel, Unknown: noEffect };
  return { ...play, ends: 'CANCELLED', moves: 0, act };
}

/**
 * The service accepts the transfer without its reference, and the answer is lost. No list finds it.
 */
async function resolvedAsCompleted(scene: Scene): Promise<Play> {
  let taken = '';
  const play = await newTransfer(scene, async (input, { call, forward }) => {
    if (call > 1) throw noFunds();
    const { refId: _, ...bare } = input;
    taken = (await forward(bare)).id;
    throw lost();
  });
  const argument = () => ({ target, finding: 'completed', evidence: taken });
  return { ...play, act: { Unknown: { update: 'resolve', argument } } };
}

async function resolvedAsNoEffect(scene: Scene): Promise<Play> {
  const play = await newTransfer(scene, async (input, { call, forward }) => {
    if (call === 1) throw lost();
    if (call === 2) throw noFunds();
    return forward(input);
  });
  return { ...play, act: { Unknown: noEffect } };
}
