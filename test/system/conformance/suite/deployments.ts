import {
  codeDeploymentOf,
  deployBytecode,
  fixedSupply,
  importOf,
} from '../../../support/chain/bytecode';
import { type Deployed, valuesOf } from '../../../support/chain/deployments';
import { setUp } from '../../../support/jest/setUp';
import { blockchain, createFundedWallet, eurc, settled } from '../../../support/sandbox';
import { readChain } from '../chain';
import { type Given, rigOf } from '../subject/subject';

export function describeDeployments(given: Given): void {
  given.describeFunded('contracts of bytecode', () => {
    describe.each(['SCA', 'EOA'] as const)('from an %s wallet', (kind) => describeOf(given, kind));
  });
  given.describeFunded('contracts deployed by others', () => describeImports(given));
}

function describeOf(given: Given, kind: 'SCA' | 'EOA'): void {
  const wallet = setUp(() => createFundedWallet(given.subject().api, kind));

  it('estimates the cost of a deployment, by the signature of the constructor', async () => {
    const { bytecode } = fixedSupply;
    const estimate = await given.subject().api.estimateContractDeployment({
      bytecode,
      constructorSignature: 'constructor(string name, string, uint256 supply, address)',
      constructorParameters: ['Fixed', 'FIX', 1000, wallet.address],
      walletId: wallet.id,
    });
    expect(Number(estimate.medium.gasLimit)).toBeGreaterThan(500_000);
  });

  it('is deployed and constructed, and has a record with its interface', async () => {
    const { api } = given.subject();
    const { contractId, transactionId } = await api.deployContract(codeDeploymentOf(wallet));
    const transaction = await settled(api, transactionId);
    const { contract } = await api.getContract({ id: contractId });
    expect(contract).toMatchObject({
      name: 'Fixed',
      description: 'A contract of bytecode',
      status: 'COMPLETE',
      contractInputType: 'BYTECODE',
      abiJson: fixedSupply.abiJson,
      deployerAddress: wallet.address,
      deployerWalletID: wallet.id,
      deploymentTransactionId: transactionId,
      txHash: transaction.txHash,
      functions: expect.arrayContaining([expect.objectContaining({ name: 'burn' })]),
    });
    expect(transaction).toMatchObject({
      state: 'COMPLETE',
      contractAddress: contract.contractAddress,
    });
    const held = readChain(rigOf(given).rpcUrl).balance(
      contract.contractAddress ?? '',
      wallet.address,
    );
    expect(await held).toBe(1_000n);
  });
}

function describeImports(given: Given): void {
  let token: Deployed;
  beforeAll(async () => {
    const { api } = given.subject();
    token = await deployBytecode(api, await createFundedWallet(api));
  });

  it('imports one, asks it, renames it, and archives it', async () => {
    const { api } = given.subject();
    const { contract } = await api.importContract(importOf(eurc));
    expect(contract).toMatchObject({
      name: 'Imported',
      contractInputType: 'IMPORT',
      contractAddress: eurc.toLowerCase(),
      status: 'COMPLETE',
      archived: false,
    });
    expect(await valuesOf(api, eurc, { signature: 'symbol()' })).toEqual(['EURC']);
    const renamed = await api.updateContract({ id: contract.id, name: 'Euros' });
    expect(renamed.contract).toMatchObject({ id: contract.id, name: 'Euros' });

    const listed = async (name: string) => {
      const found = await api.listContracts({ name, blockchain, contractInputType: 'IMPORT' });
      return found.contracts.map(({ id }) => id);
    };
    expect(await listed('Euros')).toEqual([contract.id]);
    await api.updateContract({ id: contract.id, archived: true });
    expect(await listed('Euros')).toEqual([]);
    expect((await api.getContract({ id: contract.id })).contract.archived).toBe(true);
  });

  it('lists contracts of bytecode by their type', async () => {
    const { api } = given.subject();
    const { contracts } = await api.listContracts({ contractInputType: 'BYTECODE', pageSize: 50 });
    expect(contracts.map(({ id }) => id)).toContain(token.contractId);
    expect(new Set(contracts.map(({ contractInputType }) => contractInputType))).toEqual(
      new Set(['BYTECODE']),
    );
  });
}
