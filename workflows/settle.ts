import { ApplicationFailure, CancellationScope } from '@temporalio/workflow';
import type { ResolvedToken } from '../activities/resolve';
import type { Accepted } from '../activities/transactions';
import { type FinalState, finalState } from '../src/custody/state';
import type { Transaction } from '../src/custody/transaction';
import type { Settlement } from '../src/orders/settlement';
import { type Expected, mismatches, sameMoney } from './compare';
import { reads, stopOf } from './custody';
import { settleDelayMs } from './delays';
import { finished, pause, type Run, show, standStill } from './run';
import { continueWhenLong, once } from './write';

export type Settling = {
  /** What is settling, in the operator's words, such as "transfer of 5 USDC to 0x…". */
  doing: string;
  accepted: Accepted;
  /** What its record must say; anything else stops the order for an operator. */
  expected: Expected;
};

/**
 * Waits on durable timers until the transaction is final, however long that takes. Returns
 * what it came to when it is COMPLETE, and throws Failed with its record otherwise. An unknown word
 * is not final yet.
 */
export async function settle(run: Run, settling: Settling): Promise<Settlement> {
  const path = `settled ${settling.accepted.transactionId}`;
  run.inFlight = true;
  try {
    return await once(run, path, () =>
      CancellationScope.nonCancellable(() => lookUntilFinal(run, settling)),
    );
  } finally {
    run.inFlight = false;
  }
}

async function lookUntilFinal(run: Run, settling: Settling): Promise<Settlement> {
  const { accepted, doing } = settling;
  const { looks: looked } = run.carried;
  let last = 'accepted';
  for (;;) {
    const looks = (looked[accepted.transactionId] ?? 0) + 1;
    show(run, 'Settling', `${doing} to settle (${last}); transaction ${accepted.transactionId}`);
    await pause(run, settleDelayMs(looks), `${doing}: settling`);
    const transaction = await look(run, settling, looks);
    looked[accepted.transactionId] = looks;
    const state = finalState(transaction.state);
    if (state === 'COMPLETE' && transaction.txHash) {
      finished(run, `${doing}: settled in ${transaction.txHash}`);
      const { txHash } = transaction;
      return { ...settlementOf(transaction), state, txHash, key: accepted.key, looks };
    }
    if (state !== undefined && state !== 'COMPLETE') {
      throw failed(run, { doing, state, transaction });
    }
    last = `${transaction.state} at look ${looks}`;
    // After the look, so that each run gets on by one at least.
    await continueWhenLong(run);
  }
}

function settlementOf(transaction: Transaction) {
  return {
    transactionId: transaction.id,
    blockHeight: transaction.blockHeight,
    networkFee: transaction.networkFee,
    settledAt: transaction.updateDate,
  };
}

/** Reads the record until there is one that says what was ordered. */
async function look(run: Run, settling: Settling, number: number): Promise<Transaction> {
  const { accepted, expected, doing } = settling;
  for (let look = 1; ; look++) {
    try {
      const read = { id: accepted.transactionId };
      const transaction = await reads(`${doing}: look ${number}`).getTransaction(read);
      const faults = [
        ...mismatches(transaction, expected),
        ...(await tokenMismatch(run, transaction, expected.token)),
      ];
      if (faults.length === 0) return transaction;
      const message =
        `Transaction ${transaction.id} is not what was ordered: ${faults.join('; ')}. ` +
        'Nothing more is sent for this order. Find out where it comes from.';
      await standStill(run, operator(message), look);
    } catch (error) {
      const stop = stopOf(error);
      if (stop === undefined) throw error;
      // What is in flight stays in flight, whatever a read says: go on slowly.
      await standStill(run, operator(stop.message), look);
    }
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
  const actual = await once(run, `token ${id}`, () => reads('which token is it').readToken({ id }));
  const address = actual.isNative ? '' : (actual.tokenAddress ?? '');
  if (sameMoney(address, token.address, run.opened.nativeTwins)) return [];
  return [`token is ${actual.symbol ?? id} ${address}, ordered was ${token.name}`];
}

function operator(message: string) {
  return { type: 'NeedsOperator' as const, message, facts: { ambiguous: true } };
}

function failed(
  run: Run,
  end: { doing: string; state: FinalState; transaction: Transaction },
): ApplicationFailure {
  const { doing, state, transaction } = end;
  const reason = [transaction.errorReason, transaction.errorDetails].filter(Boolean).join(': ');
  return ApplicationFailure.create({
    message: `The ${doing} ended as ${state}${reason === '' ? '' : `: ${reason}`}.`,
    type: 'Failed',
    nonRetryable: true,
    details: [{ record: transaction, made: run.carried.made }],
  });
}
