import { ApplicationFailure } from '@temporalio/workflow';
import type { Effect } from '../activities/effect';
import type { ResolvedToken } from '../activities/resolve';
import type { Accepted } from '../activities/transactions';
import { type FinalState, finalState } from '../src/custody/state';
import type { Transaction } from '../src/custody/transaction';
import type { Settlement } from '../src/orders/settlement';
import { accelerateWhenAsked } from './accelerate';
import { cancelled } from './cancel';
import { cancelWhenAsked } from './cancelAtService';
import { type Expected, mismatches, sameMoney } from './compare';
import { confirm } from './confirm';
import { settleDelayMs } from './delays';
import { noteFinal, noteMoney } from './meter';
import { readSurely } from './read';
import { type Run, targetOf } from './run';
import { finished, show } from './show';
import { continueWhenLong, pause, standStill } from './wait';
import { once, type Step, settled, stateOf } from './write';

/** A write that is a transaction: what it does, and what its record and the chain must say. */
export type Transacting<T extends Accepted = Accepted> = Step<T> & {
  /** What its record must say; anything else stops the order for an operator. */
  expected: Expected;
  /** The address that sends it. */
  sender: string;
  /** What the chain must show. */
  effect: Effect;
};

/**
 * Waits on durable timers until the transaction is final, however long that takes. Returns what it
 * came to when it is COMPLETE, and on the chain too where that is read; throws Failed with its
 * record otherwise, or a cancellation where one was asked for. An unknown word is not final yet.
 */
export async function settle(run: Run, step: Transacting, accepted: Accepted): Promise<Settlement> {
  const path = `settled ${accepted.transactionId}`;
  return once(run, path, async () => {
    run.settling = { transactionId: accepted.transactionId };
    try {
      return await lookUntilFinal(run, step, accepted);
    } finally {
      tooLate(run, step.doing);
    }
  });
}

async function lookUntilFinal(
  run: Run,
  step: Transacting,
  accepted: Accepted,
): Promise<Settlement> {
  const { doing } = step;
  const { looks: looked } = run.carried;
  let last = 'accepted';
  await cancelWhenAsked(run, step, accepted);
  for (;;) {
    const looks = (looked[accepted.transactionId] ?? 0) + 1;
    show(run, 'Settling', `${doing} to settle (${last}); transaction ${accepted.transactionId}`);
    await pause(run, settleDelayMs(looks), `${doing}: settling`);
    await cancelWhenAsked(run, step, accepted);
    await accelerateWhenAsked(run, step);
    const transaction = await look(run, { step, accepted, number: looks });
    looked[accepted.transactionId] = looks;
    const state = finalState(transaction.state);
    if (state === 'COMPLETE' && transaction.txHash) {
      tooLate(run, doing);
      noteFinal(transaction);
      await confirm(run, step, transaction);
      noteMoney(step.expected);
      finished(run, `${doing}: settled in ${transaction.txHash}`);
      const { id: transactionId, txHash } = transaction;
      const { key } = accepted;
      return { transactionId, state, txHash, ...costOf(transaction), key, looks };
    }
    if (state !== undefined && state !== 'COMPLETE') {
      tooLate(run, doing);
      noteFinal(transaction);
      await confirm(run, step, transaction);
      settled(run, step);
      throw cameToNothing(run, { step, state, transaction });
    }
    last = `${transaction.state} at look ${looks}`;
    // After the look, so that each run gets on by one at least.
    await continueWhenLong(run);
  }
}

/** Nothing settles sooner that is final, also while the chain is still asked about it. */
function tooLate(run: Run, doing: string): void {
  run.settling?.hurry?.refuse(`The ${doing} is final by now.`);
  run.settling = undefined;
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
  run: Run,
  what: { step: Transacting; accepted: Accepted; number: number },
): Promise<Transaction> {
  const { accepted, number } = what;
  const { doing, expected } = what.step;
  for (let look = 1; ; look++) {
    const transaction = await readSurely(run, `${doing}: look ${number}`, (from) =>
      from.getTransaction({ id: accepted.transactionId }),
    );
    const faults = [
      ...mismatches(transaction, expected),
      ...(await tokenMismatch(run, transaction, expected.token)),
    ];
    if (faults.length === 0) return transaction;
    const message =
      `Transaction ${transaction.id} is not what was ordered: ${faults.join('; ')}. ` +
      'Nothing more is sent for this order. Find out where it comes from.';
    // Whoever wants it sooner is not kept waiting for an operator, and holds up no fresh run.
    run.settling?.hurry?.refuse(`The ${doing} is not accelerated: ${message}`);
    delete run.settling?.hurry;
    await standStill(run, { type: 'NeedsOperator', message, facts: { ambiguous: true } }, look);
    await continueWhenLong(run);
  }
}

/** The record names its token by id only; an id that is not known yet is looked up once. */
async function tokenMismatch(
  run: Run,
  transaction: Transaction,
  token: ResolvedToken | undefined,
): Promise<string[]> {
  const id = transaction.tokenId;
  if (token === undefined || id === undefined || token.ids.includes(id)) return [];
  const actual = await once(run, `token ${id}`, () =>
    readSurely(run, 'which token is it', (from) => from.readToken({ id })),
  );
  const address = actual.isNative ? '' : (actual.tokenAddress ?? '');
  if (sameMoney(address, token.address, run.opened.nativeTwins)) return [];
  return [`token is ${actual.symbol ?? id} ${address}, ordered was ${token.name}`];
}

/** How an order ends whose transaction had no effect: cancelled if that was wanted, or failed. */
function cameToNothing(
  run: Run,
  end: { step: Transacting; state: FinalState; transaction: Transaction },
): Error {
  const { step, state, transaction } = end;
  const proof = { record: transaction, target: targetOf(stateOf(run, step).identity.parts) };
  if (state === 'CANCELLED' && run.carried.cancelAsked) return cancelled(proof);
  const reason = [transaction.errorReason, transaction.errorDetails].filter(Boolean).join(': ');
  return ApplicationFailure.create({
    message: `The ${step.doing} ended as ${state}${reason === '' ? '' : `: ${reason}`}.`,
    type: 'Failed',
    nonRetryable: true,
    details: [proof],
  });
}
