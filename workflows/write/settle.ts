import { ApplicationFailure } from '@temporalio/workflow';
import type { Accepted } from '../../activities/transactions';
import { type FinalState, finalState } from '../../src/custody/objects/state';
import type { Transaction } from '../../src/custody/objects/transaction';
import type { Settlement } from '../../src/orders/input/settlement';
import type { ResolvedToken } from '../../src/orders/kind';
import { cancelled } from '../order/cancel';
import { type LiveOrder, targetOf } from '../order/liveOrder';
import { readSurely } from '../order/read';
import { finished, show } from '../order/show';
import { continueWhenLong, pause, standStill } from '../order/wait';
import { accelerateWhenAsked } from './accelerate';
import { cancelWhenAsked } from './cancelAtService';
import { mismatches, sameMoney } from './compare';
import { confirm } from './confirm';
import { settleDelayMs } from './delays';
import { noteFinal, noteMoney } from './meter';
import type { Transacting } from './step';
import { once, settled, stateOf } from './write';

/**
 * Waits on durable timers until the transaction is final, however long that takes. Returns what it
 * came to when it is COMPLETE, and on the chain too where that is read; throws Failed with its
 * record otherwise, or a cancellation where one was asked for. An unknown word is not final yet.
 */
export async function settle(
  live: LiveOrder,
  step: Transacting,
  accepted: Accepted,
): Promise<Settlement> {
  const path = `settled ${accepted.transactionId}`;
  return once(live, path, async () => {
    live.settling = { transactionId: accepted.transactionId };
    try {
      return await lookUntilFinal(live, step, accepted);
    } finally {
      tooLate(live, step.doing);
    }
  });
}

async function lookUntilFinal(
  live: LiveOrder,
  step: Transacting,
  accepted: Accepted,
): Promise<Settlement> {
  const { doing } = step;
  const { looks: looked } = live.carried;
  let last = 'accepted';
  await cancelWhenAsked(live, step, accepted);
  for (;;) {
    const looks = (looked[accepted.transactionId] ?? 0) + 1;
    show(live, 'Settling', `${doing} to settle (${last}); transaction ${accepted.transactionId}`);
    await pause(live, settleDelayMs(looks), `${doing}: settling`);
    await cancelWhenAsked(live, step, accepted);
    await accelerateWhenAsked(live, step);
    const transaction = await look(live, { step, accepted, number: looks });
    looked[accepted.transactionId] = looks;
    const state = finalState(transaction.state);
    if (state === 'COMPLETE' && transaction.txHash) {
      tooLate(live, doing);
      noteFinal(transaction);
      await confirm(live, step, transaction);
      noteMoney(step.expected);
      finished(live, `${doing}: settled in ${transaction.txHash}`);
      const { id: transactionId, txHash } = transaction;
      const { key } = accepted;
      return { transactionId, state, txHash, ...costOf(transaction), key, looks };
    }
    if (state !== undefined && state !== 'COMPLETE') {
      tooLate(live, doing);
      noteFinal(transaction);
      await confirm(live, step, transaction);
      settled(live, step);
      throw cameToNothing(live, { step, state, transaction });
    }
    last = `${transaction.state} at look ${looks}`;
    // After the look, so that each run gets on by one at least.
    await continueWhenLong(live);
  }
}

/** Nothing settles sooner that is final, also while the chain is still asked about it. */
function tooLate(live: LiveOrder, doing: string): void {
  live.settling?.hurry?.refuse(`The ${doing} is final by now.`);
  live.settling = undefined;
}

function costOf(transaction: Transaction) {
  return {
    blockHeight: transaction.blockHeight,
    networkFee: transaction.networkFee,
    settledAt: transaction.updateDate,
  };
}

/** Reads the record until there is one that says what was ordered. */
async function look(
  live: LiveOrder,
  what: { step: Transacting; accepted: Accepted; number: number },
): Promise<Transaction> {
  const { accepted, number } = what;
  const { doing, expected } = what.step;
  for (let look = 1; ; look++) {
    const transaction = await readSurely(live, `${doing}: look ${number}`, (from) =>
      from.getTransaction({ id: accepted.transactionId }),
    );
    const faults = [
      ...mismatches(transaction, expected),
      ...(await tokenMismatch(live, transaction, expected.token)),
    ];
    if (faults.length === 0) return transaction;
    const message =
      `Transaction ${transaction.id} is not what was ordered: ${faults.join('; ')}. ` +
      'Nothing more is sent for this order. Find out where it comes from.';
    // Whoever wants it sooner is not kept waiting for an operator, and holds up no fresh run.
    live.settling?.hurry?.refuse(`The ${doing} is not accelerated: ${message}`);
    delete live.settling?.hurry;
    await standStill(live, { type: 'NeedsOperator', message, facts: { ambiguous: true } }, look);
    await continueWhenLong(live);
  }
}

/** The record names its token by id only; an id that is not known yet is looked up once. */
async function tokenMismatch(
  live: LiveOrder,
  transaction: Transaction,
  token: ResolvedToken | undefined,
): Promise<string[]> {
  const id = transaction.tokenId;
  if (token === undefined || id === undefined || token.ids.includes(id)) return [];
  const actual = await once(live, `token ${id}`, () =>
    readSurely(live, 'which token is it', (from) => from.readToken({ id })),
  );
  const address = actual.isNative ? '' : (actual.tokenAddress ?? '');
  if (sameMoney(address, token.address, live.opened.nativeTwins)) return [];
  return [`token is ${actual.symbol ?? id} ${address}, ordered was ${token.name}`];
}

/** How an order ends whose transaction had no effect: cancelled if that was wanted, or failed. */
function cameToNothing(
  live: LiveOrder,
  end: { step: Transacting; state: FinalState; transaction: Transaction },
): Error {
  const { step, state, transaction } = end;
  const proof = { record: transaction, target: targetOf(stateOf(live, step).identity.parts) };
  if (state === 'CANCELLED' && live.carried.cancelAsked) return cancelled(proof);
  const reason = [transaction.errorReason, transaction.errorDetails].filter(Boolean).join(': ');
  return ApplicationFailure.create({
    message: `The ${step.doing} ended as ${state}${reason === '' ? '' : `: ${reason}`}.`,
    type: 'Failed',
    nonRetryable: true,
    details: [proof],
  });
}
