import {
  type ChainShows,
  type FinalClaim,
  readingsFor,
  verdictOn,
  type WordVerdict,
} from '../../../src/custody/objects/finalWord';

const txHash = `0x${'11'.repeat(32)}`;
const userOpHash = `0x${'22'.repeat(32)}`;

/** The verdict on a word within its grace period, and after it. */
function verdicts(
  claim: FinalClaim,
  shows: ChainShows,
  mayTell = true,
): [WordVerdict, WordVerdict] {
  const young = verdictOn(claim, { shows, isOld: false, mayTell });
  return [young, verdictOn(claim, { shows, isOld: true, mayTell })];
}

describe('a word of success', () => {
  it.each<[ChainShows, WordVerdict, WordVerdict]>([
    ['unasked', 'stands', 'stands'],
    ['effect', 'stands', 'stands'],
    ['other', 'contradicted', 'contradicted'],
    ['dead', 'contradicted', 'contradicted'],
    ['open', 'waits', 'contradicted'],
    ['nothing', 'waits', 'contradicted'],
  ])('with a chain that shows "%s" %s, and %s after the grace period', (shows, young, old) => {
    for (const state of ['COMPLETE', 'COMPLETED', 'complete']) {
      expect(verdicts({ state, txHash }, shows)).toEqual([young, old]);
    }
  });
});

const negative = ['FAILED', 'DENIED', 'CANCELLED', 'CANCELED', 'canceled'];

describe('a word of failure', () => {
  it.each<[ChainShows, WordVerdict, WordVerdict]>([
    ['unasked', 'waits', 'stands'],
    ['effect', 'contradicted', 'contradicted'],
    ['other', 'waits', 'stands'],
    ['dead', 'stands', 'stands'],
    ['open', 'waits', 'contradicted'],
    ['nothing', 'waits', 'stands'],
  ])('with a chain that shows "%s" %s, and %s after the grace period', (shows, young, old) => {
    for (const state of negative) {
      for (const hashes of [{ txHash }, { userOpHash }, { txHash, userOpHash }]) {
        const claim = { state, errorReason: 'INSUFFICIENT_TOKEN', ...hashes };
        expect(verdicts(claim, shows)).toEqual([young, old]);
        expect(verdicts(claim, shows, false)).toEqual([young, old]);
      }
    }
  });

  it.each<[string, string | undefined, boolean]>([
    ['DENIED', undefined, true],
    ['FAILED', 'INSUFFICIENT_NATIVE_TOKEN', true],
    ['FAILED', 'INSUFFICIENT_TOKEN', true],
    ['FAILED', 'ESTIMATION_ERROR', true],
    ['FAILED', 'PAYMASTER_POLICY_NOT_ACTIVATED', true],
    ['FAILED', 'INTERNAL_ERROR', false],
    ['FAILED', 'FAILED_ON_CHAIN', false],
    ['FAILED', 'FAILED_REORG', false],
    ['FAILED', 'TRANSACTION_UNDER_PRICE', false],
    ['FAILED', 'SOME_REASON_OF_NEXT_YEAR', false],
    ['FAILED', undefined, false],
    ['CANCELLED', undefined, false],
    ['CANCELED', 'INSUFFICIENT_TOKEN', false],
  ])('%s because of %s, without a hash: told at once is %s', (state, errorReason, isTold) => {
    const claim = { state, errorReason };
    for (const shows of ['nothing', 'unasked'] as const) {
      expect(verdicts(claim, shows)).toEqual([isTold ? 'told' : 'waits', 'stands']);
      // An end from which other writes follow is never told before it is proven.
      expect(verdicts(claim, shows, false)).toEqual(['waits', 'stands']);
    }
    // A chain that knows something of it has the last word.
    for (const shows of ['effect', 'open', 'other', 'dead'] as const) {
      expect(verdicts(claim, shows)[0]).not.toBe('told');
    }
  });
});

describe('the chain is read', () => {
  it.each([
    [{ txHash }, false, ['transaction', 'ownTransactions', 'pending']],
    [{}, false, ['ownTransactions', 'pending']],
    [
      { txHash, userOpHash },
      true,
      ['transaction', 'operation', 'ownOperations', 'laterOperations'],
    ],
    [{ userOpHash }, true, ['operation', 'ownOperations', 'laterOperations']],
    [{ txHash }, true, ['transaction', 'ownOperations']],
    [{}, true, ['ownOperations']],
  ] as const)('for %j of a smart account (%s) by %j', (claim, isSmart, readings) => {
    expect(readingsFor(claim, { isSmart })).toEqual(readings);
  });
});
