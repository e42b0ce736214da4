import { deployToken } from '../../../support/chain/deployments';
import { setUp } from '../../../support/jest/setUp';
import { blockchain, createFundedWallet } from '../../../support/sandbox';
import type { Given } from '../subject/subject';

export function describeContracts(given: Given): void {
  given.describeFunded('existing contracts', () => {
    let token: { address: string; contractId: string };
    const wallet = setUp(() => createFundedWallet(given.subject().api));
    beforeAll(async () => {
      token = await deployToken(given.subject().api, wallet, { symbol: 'ASK' });
    });

    it('answers a query by signature, with its values and its data', async () => {
      const { api } = given.subject();
      const answer = await api.queryContract({
        address: token.address,
        blockchain,
        abiFunctionSignature: 'symbol()',
        abiParameters: [],
      });
      expect(answer.outputValues).toEqual(['ASK']);
      expect(answer.outputData).toMatch(/^0x[0-9a-f]+$/);
    });

    it('answers a query by call data', async () => {
      const totalSupply = '0x18160ddd';
      const { outputData } = await given
        .subject()
        .api.queryContract({ address: token.address, blockchain, callData: totalSupply });
      expect(BigInt(outputData)).toBe(0n);
    });
  });
}
