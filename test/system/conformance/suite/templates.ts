import { randomUUID } from 'node:crypto';
import { maxUint256 } from 'viem';
import type { AbiParameter, CustodyApi } from '../../../../src/custody/endpoints';
import { type TemplateFamily, templateIds } from '../../../../src/custody/objects/template';
import type { Wallet } from '../../../../src/custody/objects/wallet';
import { setUp } from '../../../support/jest/setUp';
import {
  blockchain,
  callOf,
  createFundedWallet,
  createWallets,
  settled,
} from '../../../support/sandbox';
import { readChain } from '../chain';
import { type Given, rigOf } from '../subject/subject';

const families = ['fungible', 'uniqueItem', 'multiToken', 'airdrop'] as const;

/** The required parameters of a template family, with the wallet in every role. */
export function parametersOf(family: TemplateFamily, { address }: Wallet): Record<string, unknown> {
  if (family === 'airdrop') return { defaultAdmin: address, contractURI: 'ipfs://airdrop' };
  const roles = { defaultAdmin: address, primarySaleRecipient: address };
  const royalty = { royaltyRecipient: address, royaltyPercent: 0.01 };
  return {
    name: 'Ours',
    symbol: 'OUR',
    ...roles,
    ...(family === 'fungible' ? {} : royalty),
  };
}

export function describeTemplates(given: Given): void {
  given.describeFunded('contracts from templates', () => {
    const deployed = new Map<TemplateFamily, string>();
    const wallet = setUp(() => createFundedWallet(given.subject().api));

    it.each(families)('deploys the %s template', async (family) => {
      const { api } = given.subject();
      const address = await deploy(api, wallet, family);
      expect(await readChain(rigOf(given).rpcUrl).hasCode(address)).toBe(true);
      deployed.set(family, address);
    });

    describeMints(given, {
      wallet: () => wallet,
      address: (family) => deployed.get(family) ?? '',
    });
  });
}

async function deploy(api: CustodyApi, wallet: Wallet, family: TemplateFamily): Promise<string> {
  const { contractIds, transactionId } = await api.deployTemplate({
    id: templateIds[family],
    idempotencyKey: randomUUID(),
    name: `Our ${family}`,
    walletId: wallet.id,
    blockchain,
    templateParameters: parametersOf(family, wallet),
    feeLevel: 'MEDIUM',
  });
  expect(await settled(api, transactionId)).toMatchObject({ state: 'COMPLETE' });
  const { contract } = await api.getContract({ id: contractIds[0] ?? '' });
  expect(contract).toMatchObject({
    name: `Our ${family}`,
    status: 'COMPLETE',
    contractInputType: 'TEMPLATE',
    contractAddress: expect.stringMatching(/^0x[0-9a-f]{40}$/),
    deployerWalletID: wallet.id,
    deploymentTransactionId: transactionId,
  });
  return contract.contractAddress ?? '';
}

type Deployed = { wallet(): Wallet; address(family: TemplateFamily): string };

function describeMints(given: Given, deployed: Deployed): void {
  const execute = async (to: string, signature: string, parameters: AbiParameter[]) => {
    const { api } = given.subject();
    const { id } = await api.executeContract(
      callOf(deployed.wallet(), { to, signature, parameters }),
    );
    expect(await settled(api, id)).toMatchObject({
      state: 'COMPLETE',
      operation: 'CONTRACT_EXECUTION',
      contractAddress: to,
      abiFunctionSignature: signature,
      abiParameters: parameters,
    });
  };
  const chain = () => readChain(rigOf(given).rpcUrl);

  it('mints a fungible token', async () => {
    const { address } = deployed.wallet();
    const token = deployed.address('fungible');
    await execute(token, 'mintTo(address,uint256)', [address, '1000']);
    expect(await chain().balance(token, address)).toBe(1_000n);
  });

  it('mints a unique item', async () => {
    const { address } = deployed.wallet();
    const collection = deployed.address('uniqueItem');
    await execute(collection, 'mintTo(address,string)', [address, 'ipfs://item']);
    expect(await chain().owner(collection, 0n)).toBe(address);
  });

  it('mints a multi-token', async () => {
    const { address } = deployed.wallet();
    const collection = deployed.address('multiToken');
    await execute(collection, 'mintTo(address,uint256,string,uint256)', [
      address,
      maxUint256.toString(),
      'ipfs://kind',
      '5',
    ]);
    expect(await chain().count(collection, address, 0n)).toBe(5n);
  });

  it('drops a token to many in one call', async () => {
    const receivers = await createWallets(given.subject().api, { count: 2 });
    const token = deployed.address('fungible');
    const airdrop = deployed.address('airdrop');
    await execute(token, 'approve(address,uint256)', [airdrop, '300']);
    await execute(airdrop, 'airdropERC20(address,(address,uint256)[])', [
      token,
      receivers.map(({ address }, index) => [address, String(100 * (index + 1))]),
    ]);
    const held = receivers.map(({ address }) => chain().balance(token, address));
    expect(await Promise.all(held)).toEqual([100n, 200n]);
  });
}
