import type { PeriodStart } from '../../../src/orders/schedule/schedule';
import { sumOf } from '../../../src/orders/schedule/sumOf';

const walletId = '0c3f3d3e-1111-4222-8333-4444aaaa6666';
const to = '0x523b27014BA9331e4a6c1bD7BC3b2b9F3B2BEC7d';
const contractAddress = '0x89B50855Aa3bE2F677cD6303Cec089B5F319D72a';
const line = { to, token: 'USDC', amount: '1.5' };
const lines = [
  { ...line, lineId: '{period}.ann' },
  { ...line, lineId: 'bo', token: 'EURC', amount: '0.000001' },
];

function summed(kind: PeriodStart['kind'], order: object, template = 'yyyy-MM') {
  const common = { scheduleId: 'rent', idsBegin: 'transfer:rent', timeZone: 'UTC', jitterMs: 0 };
  const start = { ...common, kind, template, order: { ...order }, rhythm: { cron: '0 9 1 * *' } };
  return sumOf(start, template === 'yyyy' ? ['2026', '2027'] : ['2026-01', '2026-02', '2026-03']);
}

it.each<[PeriodStart['kind'], object, object | undefined]>([
  ['transferStablecoin', { from: { walletId }, to, amount: '0.1', token: 'USDC' }, { USDC: '0.3' }],
  ['payout', { wallets: [walletId], lines }, { USDC: '4.5', EURC: '0.000003' }],
  ['fundWallet', { wallet: { walletId }, amount: '20', token: 'USDC' }, { USDC: '60' }],
  ['mintTokens', { walletId, contractAddress, to, amount: '1000' }, { [contractAddress]: '3000' }],
  ['dailyClose', {}, {}],
  ['sweepWallets', { wallets: [walletId], into: { walletId }, token: 'USDC' }, undefined],
  [
    'executeContract',
    {
      walletId,
      contractAddress,
      abiFunctionSignature: 'burn(uint256)',
      abiParameters: ['5'],
      amount: '1',
    },
    undefined,
  ],
])('the sum of three periods of %s is told, where it is known', (kind, order, sum) => {
  expect(summed(kind, order)).toEqual(sum);
});

it('an amount that follows from the period is read for each of them', () => {
  const order = { from: { walletId }, to, amount: '{period}', token: 'USDC' };
  expect(summed('transferStablecoin', order, 'yyyy')).toEqual({ USDC: '4053' });
});
