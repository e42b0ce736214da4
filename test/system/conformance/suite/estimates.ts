import { type TemplateFamily, templateIds } from '../../../../src/custody/objects/template';
import { setUp } from '../../../support/jest/setUp';
import { blockchain, createFundedWallet, usdc } from '../../../support/sandbox';
import type { Given } from '../subject/subject';
import { parametersOf } from './templates';

const decimal = expect.stringMatching(/^\d+(\.\d+)?$/);
const level = {
  gasLimit: expect.stringMatching(/^[1-9]\d*$/),
  baseFee: decimal,
  priorityFee: decimal,
  maxFee: decimal,
  networkFee: decimal,
};
const levels = { low: level, medium: level, high: level };
/** Extra fields of a smart account's operation. */
const limits = {
  callGasLimit: decimal,
  verificationGasLimit: decimal,
  preVerificationGas: decimal,
};
const families: TemplateFamily[] = ['fungible', 'uniqueItem', 'multiToken', 'airdrop'];

export function describeEstimates(given: Given): void {
  given.describeFunded('estimates', () => {
    describeOf(given, 'SCA', limits);
    describeOf(given, 'EOA', {});
  });
}

function describeOf(given: Given, kind: 'SCA' | 'EOA', more: object): void {
  const wallet = setUp(() => createFundedWallet(given.subject().api, kind));

  it(`estimates the cost of a transfer from an ${kind} wallet`, async () => {
    const estimate = await given.subject().api.estimateTransfer({
      walletId: wallet.id,
      tokenAddress: usdc,
      blockchain,
      destinationAddress: wallet.address,
      amounts: ['1'],
    });
    expect(estimate).toMatchObject({ ...levels, ...more });
    expect('callGasLimit' in estimate).toBe(kind === 'SCA');
  });

  it(`estimates the cost of a call from an ${kind} wallet`, async () => {
    const estimate = await given.subject().api.estimateExecution({
      walletId: wallet.id,
      contractAddress: usdc,
      abiFunctionSignature: 'approve(address,uint256)',
      abiParameters: [wallet.address, '1'],
    });
    expect(estimate).toMatchObject({ ...levels, ...more });
  });

  it.each(families)(
    `estimates the cost of the %s template for an ${kind} wallet`,
    async (family) => {
      const estimate = await given.subject().api.estimateDeployment({
        id: templateIds[family],
        blockchain,
        walletId: wallet.id,
        templateParameters: parametersOf(family, wallet),
      });
      expect(estimate).toMatchObject(levels);
    },
  );
}
