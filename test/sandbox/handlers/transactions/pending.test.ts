import { randomUUID } from 'node:crypto';
import { parseEther, parseGwei } from 'viem';
import { blockchain, inSandbox, transferOf } from '../../../support/sandbox';

const sandbox = inSandbox({ states: 'hosted' });

describe('the fee parameters', () => {
  it('are those of the only chain where none is named, and have no gas price', async () => {
    const { status, body } = await sandbox.request('GET', 'developer/transactions/feeParameters');
    const of = (priorityFee: string, maxFee: string) => ({ baseFee: '20', priorityFee, maxFee });
    const data = {
      low: of('2.74', '42.74'),
      medium: of('3.39', '43.39'),
      high: of('4.45', '44.45'),
    };
    expect({ status, body }).toEqual({ status: 200, body: { data } });
  });

  it.each([
    ['ETH-SEPOLIA', 156027],
    ['ETH', 156006],
    ['MOON', 2],
  ])('of %s are refused', async (other, code) => {
    const url = `developer/transactions/feeParameters?blockchain=${other}`;
    const { status, body } = await sandbox.request('GET', url);
    expect({ status, body }).toMatchObject({ status: 400, body: { code } });
  });
});

describe('the transaction of the lowest nonce', () => {
  it('is answered with 204 and no body where none waits for a block', async () => {
    const wallet = await sandbox.wallet();
    const url = `transactions/lowestNonceTransaction?walletId=${wallet.id}`;
    const { status, body } = await sandbox.request('GET', url);
    expect({ status, body }).toEqual({ status: 204, body: undefined });
  });

  it.each(['EOA', 'SCA'] as const)(
    'of an %s is the one that its later ones wait for, until it is cancelled',
    async (accountType) => {
      const wallet = await sandbox.fundedWallet(accountType);
      const order = () => transferOf(wallet, wallet.address, { feeLevel: 'HIGH' });
      const { id } = await sandbox.api.createTransfer(order(), { fate: 'stuck' });
      await sandbox.settled(id, 'STUCK');
      const later = await sandbox.client.createTransfer(order());
      const found = await sandbox.client.getLowestNonceTransaction({ walletId: wallet.id });
      expect(found?.transaction).toMatchObject({ id, state: 'STUCK' });
      const { gasLimit = '', networkFee = '' } = found?.transaction.estimatedFee ?? {};
      const { newHighEstimatedFee, feeDifferenceAmount = '' } = found?.feeInfo ?? {};
      expect(newHighEstimatedFee).toMatchObject({ gasLimit, baseFee: '20', maxFee: '44.45' });
      expect(parseEther(feeDifferenceAmount) + parseEther(networkFee)).toBe(
        BigInt(gasLimit) * parseGwei('44.45'),
      );
      await sandbox.client.cancelTransaction({ id, idempotencyKey: randomUUID() });
      await sandbox.settled(later.id);
      await expect(
        sandbox.client.getLowestNonceTransaction({ walletId: wallet.id }),
      ).resolves.toBeUndefined();
    },
  );

  it.each([
    ['neither a wallet nor an address', {}, 400, 2],
    ['an address without its chain', { address: '0x1' }, 400, 2],
    ['a wallet that is not there', { walletId: randomUUID() }, 404, 156001],
    ['both', { walletId: randomUUID(), address: '0x1', blockchain }, 400, 155244],
    ['an address that is none', { address: '0x1', blockchain }, 400, 155226],
  ])('is refused for %s', async (_what, query, status, code) => {
    const asked = new URLSearchParams(query);
    const answer = await sandbox.request('GET', `transactions/lowestNonceTransaction?${asked}`);
    expect(answer).toMatchObject({ status, body: { code } });
  });
});
