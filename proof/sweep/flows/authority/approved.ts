import type { Lane } from '../../lane';
import { reset } from '../../scenes/caller';
import type { Order, Play } from '../flow';
import { newLine, payoutOf } from '../payouts';
import { transferFrom } from '../transfers';
import { fundedWallet } from '../wallets';
import { limitOf, nextPolicy, twoPeople } from './keys';
import { type People, peopleBeside, signingClient } from './people';

/** A transfer that its backend signs and people decide on, as they please. */
async function prepareDecidedOn(
  lane: Lane,
  order: Order,
  decide: (people: People) => Promise<void>,
): Promise<Play> {
  const wallet = await fundedWallet(lane, 'EOA');
  await lane.limit(
    nextPolicy([limitOf([wallet.id], { orders: ['transferStablecoin'] }), twoPeople]),
  );
  const play = transferFrom(wallet, lane, order);
  const steadfast = await signingClient(lane);
  const people = peopleBeside(lane, order.name);
  return {
    ...play,
    start: () => steadfast.start('transferStablecoin', order.name, play.body),
    act: () => decide(people),
    mend: people.mend,
  };
}

/** A transfer that its backend has signed, and that two people approve, each of them twice. */
export function prepareApproved(lane: Lane, order: Order): Promise<Play> {
  return prepareDecidedOn(lane, order, (people) => people.approveAll());
}

/**
 * One person approves, one rejects, and then another one approves. There are two approvals then,
 * and still nothing is paid. A refusal speaks of its own attempt alone. So an order whose worker
 * was killed with another one at hand ends only once its operator cancels it.
 */
export async function prepareRejected(lane: Lane, order: Order): Promise<Play> {
  const decide = async (people: People): Promise<void> => {
    await people.decide('bo', 'approval');
    await people.decide('ann', 'rejection');
    await people.decide('cy', 'approval');
  };
  const play = await prepareDecidedOn(lane, order, decide);
  return {
    ...play,
    mend: peopleBeside(lane, order.name).giveUp,
    effects: [],
    never: play.effects,
    failsWith: /ann has rejected it/,
    isCancelled: true,
  };
}

/** The run is reset to before its approvals: after the first of them, and once it is done. */
export async function prepareResetAcrossApproval(lane: Lane, order: Order): Promise<Play> {
  let resets = 0;
  const resetOnce = async (number: number): Promise<void> => {
    if (resets >= number) return;
    await reset(lane, order.name);
    resets = number;
  };
  const decide = async (people: People): Promise<void> => {
    if (resets === 0) {
      await people.decide('ann', 'approval');
      await people.untilGiven(1);
    }
    await resetOnce(1);
    await people.approveAll();
    await resetOnce(2);
    await people.approveAll();
  };
  const play = await prepareDecidedOn(lane, order, decide);
  return { ...play, isUnfinished: () => resets < 2 };
}

/** A payout that its backend has signed with all of its lines, and two people as a whole. */
export async function prepareApprovedPayout(lane: Lane, order: Order): Promise<Play> {
  const wallets = [await fundedWallet(lane, 'EOA')];
  const ids = wallets.map(({ id }) => id);
  await lane.limit(nextPolicy([limitOf(ids, { orders: ['payout'] }), twoPeople]));
  const lines = [0, 1, 2].map((at) => newLine(order, { at, wallet: 0, of: 1 }));
  const play = payoutOf(lane, order, { wallets, parts: [lines] });
  const steadfast = await signingClient(lane);
  const people = peopleBeside(lane, play.id);
  return {
    ...play,
    start: () => steadfast.payout({ payoutId: order.name, wallets: ids, batch: false }, lines),
    act: people.approveAll,
    mend: people.mend,
  };
}
