import { type ArchivedReceipt, chained } from '../../../src/books/receipt';
import { ownFaults, proveOnChain } from '../../../src/books/verify/prove';
import type { Witness } from '../../../src/books/verify/witness';
import { usdc } from '../../support/sandbox';
import { newReceipt } from '../archive/stores';

const [payer, payee, worthless] = ['1', '2', 'c'].map((digit) => `0x${digit.repeat(40)}`) as [
  string,
  string,
  string,
];
const txHash = `0x${'ab'.repeat(32)}`;

/** A receipt of 1,000 of a token with such a name. */
function paidIn(name: string, address: string, chain: Partial<ArchivedReceipt['chain']> = {}) {
  const token = { name, address, decimals: 6 };
  const money = { from: payer, to: payee, token, amount: '1000', baseUnits: '1000000000' };
  const own = newReceipt();
  return chained({ ...own, money, chain: { ...own.chain, txHash, ...chain } }, undefined);
}

describe('the names in a receipt', () => {
  it.each([
    ['USDC', usdc],
    ['USDC', ''],
    ['native', ''],
    [worthless, worthless],
    ['POINTS', worthless],
  ])('may be %s for the token %s', (name, address) => {
    expect(ownFaults(paidIn(name, address))).toEqual([]);
  });

  it.each(['USDC', 'usdc', 'native'])('cannot be %s for another token', (name) => {
    expect(ownFaults(paidIn(name, worthless))).toEqual([
      expect.stringContaining(`token: ${worthless} is not`),
    ]);
  });

  it.each([
    ['ARC', 5042002],
    ['ARC', 1],
    ['MADE-UP', 5042002],
  ])('cannot be %s for the chain %d', (blockchain, chainId) => {
    expect(ownFaults(paidIn('POINTS', worthless, { blockchain, chainId }))).toEqual([
      `blockchain: ${blockchain} is not the chain ${chainId}`,
    ]);
  });
});

describe('a receipt of a failure', () => {
  const witness = {
    chainId: async () => 5042002,
    transaction: async () => undefined,
  } as Partial<Witness> as Witness;
  const failed = (change: Partial<ArchivedReceipt['chain']>): ArchivedReceipt => ({
    ...paidIn('USDC', usdc, change),
    outcome: 'failed',
  });

  it('needs no hash, since nothing was sent', () => {
    expect(ownFaults(failed({ txHash: undefined }))).toEqual([]);
  });

  it('is in doubt, and not false, where no block has its transaction', async () => {
    expect(await proveOnChain(witness, failed({}))).toEqual({
      faults: [],
      doubts: [`txHash: ${txHash} is in no block of this chain, as the receipt says: it failed`],
      notes: [],
    });
  });

  it.each([failed({ blockNumber: 7 }), paidIn('USDC', usdc)])(
    'is false where it claims a block, and so is a payment',
    async (receipt) => {
      expect(await proveOnChain(witness, receipt)).toMatchObject({
        faults: [`txHash: ${txHash} is in no block of this chain`],
      });
    },
  );
});
