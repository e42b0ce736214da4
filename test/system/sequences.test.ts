import { setUp } from '../support/jest/setUp';
import { countDeployments, countTransfers, startTestStack } from '../support/stack';

const stack = setUp(() => startTestStack(2_000));

/** Events of one poll while settling: timer 2, activity 3, and a workflow task of 3 after each. */
const eventsPerPoll = 11;

describe('deploymentSequence', () => {
  test('makes a contract from nothing in at most 52 events, and mints its supply', async () => {
    const { steadfast, chain } = stack;
    const name = 'Harbour Credit';
    const order = { name, parameters: { name, symbol: 'HBR' } };
    const receipt = await steadfast.execute('deploymentSequence', 'deploy:plain', order);
    const { historyEvents } = await steadfast.status('deploy:plain');
    expect(historyEvents - eventsPerPoll * receipt.polls).toBeLessThanOrEqual(52);
    expect(await countDeployments(chain, receipt.wallet.address)).toBe(1);

    const minting = { ...order, mint: { amount: '1000000' } };
    const minted = await steadfast.execute('deploymentSequence', 'deploy:minting', minting);
    expect(minted.supply).toMatchObject({ before: '0', after: '1000000' });
  });
});

describe('transferSequence', () => {
  test.each(['SCA', 'EOA'] as const)(
    'makes a settled transfer between %s wallets from nothing in at most 64 events',
    async (accountType) => {
      const { steadfast, chain, custody } = stack;
      const id = `transfer:${accountType}`;
      const order = { name: 'Payroll', amount: '7.25', token: 'USDC', accountType };
      const receipt = await steadfast.execute('transferSequence', id, order);
      const { historyEvents } = await steadfast.status(id);
      expect(historyEvents - eventsPerPoll * receipt.polls).toBeLessThanOrEqual(64);
      const { from, to } = receipt;
      expect(await countTransfers(chain, { from, to, amount: '7.25' })).toBe(1);
      const { tokenBalances } = await custody.listBalances({ id: receipt.recipient.walletId });
      // USDC and native are two faces of one balance.
      expect(tokenBalances.map(({ amount }) => amount)).toEqual(['7.25', '7.25']);
    },
  );
});
