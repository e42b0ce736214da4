import { tellReceipt } from '../../../src/cli/show/tellReceipt';

it('tells a receipt in plain words, aligned', () => {
  expect(tellReceipt({ txHash: '0xabc', amount: '12.5', token: 'USDC', blockHeight: 7 })).toEqual([
    '  transaction hash  0xabc',
    '  amount            12.5',
    '  token             USDC',
    '  block             7',
  ]);
});

it('names what lies within, and counts lists from one', () => {
  const wallets = [{ walletId: 'a' }, { walletId: 'b' }];
  expect(tellReceipt({ supply: { before: '0', after: '5' }, wallets })).toEqual([
    '  supply before  0',
    '  supply after   5',
    '  wallet 1 id    a',
    '  wallet 2 id    b',
  ]);
});

it('says nothing of what is not there, and nothing twice', () => {
  const receipt = { networkFee: undefined, walletId: 'a', wallet: { walletId: 'a' } };
  expect(tellReceipt(receipt)).toEqual(['  wallet id  a']);
  expect(tellReceipt(undefined)).toEqual([]);
});
