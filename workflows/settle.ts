import { ApplicationFailure } from '@temporalio/workflow';
import type { ResolvedToken } from '../activities/resolve';
import type { Accepted } from '../activities/transactions';
import { type FinalState, finalState } from '../src/custody/state';
import type { Transaction } from '../src/custody/transaction';
import type { Settlement } from '../src/orders/settlement';
import { type Expected, mismatches, sameMoney } from './compare';
import { settleDelayMs } from './delays';
import { readSurely } from './read';
import type { Run } from './run';
import { finished, show } from './show';
import { continueWhenLong, pause, standStill } from './wait';
import { once } from './write';

export type Settling = {
  /** What is settling, in the operator's words, such as "transfer of 5 USDC to 0x…". */
  doing: string;
  accepted: Accepted;
  /** What its record must say; anything else stops the order for an operator. */
  expected: Expected;
};

/**
 * Waits on durable timers until the transaction is final, however long that takes. Returns what it
 * came to when it is COMPLETE, and throws Failed with its record otherwise. An unknown word is not
 * final yet.
 */
export async function settle(run: Run, settling: Settling): Promise<Settlement> {
  const path = `settled ${settling.accepted.transactionId}`;
  return once(run, path, () => lookUntilFinal(run, settling));
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
      const { id: transactionId, txHash } = transaction;
      const { key } = accepted;
      return { transactionId, state, txHash, ...costOf(transaction), key, looks };
    }
    if (state !== undefined && state !== 'COMPLETE') {
      throw failed({ doing, state, transaction });
    }
    last = `${transaction.state} at look ${looks}`;
    // After the look, so that each run gets on by one at least.
    await continueWhenLong(run);
  }
}

function costOf(transaction: Transaction) {
  return {
    blockHeight: transaction.blockHeight,
    networkFee: transaction.networkFee,
    settledAt: transaction.updateDate,
  };
}

/** Reads the record until there is one that says what was ordered. */
async function look(run: Run, settling: Settling, number: number): Promise<Transaction> {
  const { accepted, expected, doing } = settling;
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

function failed(end: {
  doing: string;
  state: FinalState;
  transaction: Transaction;
}): ApplicationFailure {
  const { doing, state, transaction } = end;
  const reason = [transaction.errorReason, transaction.errorDetails].filter(Boolean).join(': ');
  return ApplicationFailure.create({
    message: `The ${doing} ended as ${state}${reason === '' ? '' : `: ${reason}`}.`,
    type: 'Failed',
    nonRetryable: true,
    details: [{ record: transaction }],
  });
}
