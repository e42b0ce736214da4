import { blockchain, createFundedWallet, settled, transferOf, usdc } from '../../support/sandbox';
import { readChain } from '../chain';
import type { Given } from '../subject';

/** By its last digits, an address that the default rules deny (hosted-service facts §3). */
const sanctioned = '0x0000000000000000000000000000999999999999';

export function describeTransactions(given: Given): void {
  describe('the check of an address', () => {
    it.each([
      ['0x3600000000000000000000000000000000000000', true],
      ['0x36', false],
    ])('says of %s: %s', async (address, isValid) => {
      const { api } = given.subject();
      expect(await api.validateAddress({ address, blockchain })).toEqual({ isValid });
    });
  });

  given.describeFunded('a transfer that does not simply settle', () => {
    it('is DENIED where screening forbids it, and moves nothing', async () => {
      const { api, sandbox } = given.subject();
      const { id } = await api.createTransfer(
        transferOf(await createFundedWallet(api), sanctioned),
      );
      expect(await settled(api, id)).toMatchObject({
        state: 'DENIED',
        transactionScreeningEvaluation: { actions: expect.arrayContaining(['DENY']) },
      });
      expect(await readChain(sandbox?.rpcUrl ?? '').balance(usdc, sanctioned)).toBe(0n);
    });
  });
}
