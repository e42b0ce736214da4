import { randomUUID } from 'node:crypto';
import { abi, bytecode } from '@openzeppelin/contracts/build/contracts/ERC20PresetFixedSupply.json';
import type { CustodyApi } from '../../src/custody/endpoints';
import type { Wallet } from '../../src/custody/wallet';
import type { Deployed } from './deployments';
import { blockchain, settled } from './sandbox';

/** A token whose constructor mints all there will ever be: name, symbol, supply, owner. */
export const fixedSupply = { abiJson: JSON.stringify(abi), bytecode };

/** A whole request to deploy that token, all of it for the wallet. */
export function codeDeploymentOf(wallet: Wallet, change: object = {}) {
  return {
    idempotencyKey: randomUUID(),
    name: 'Fixed',
    description: 'Of bytecode',
    walletId: wallet.id,
    blockchain,
    ...fixedSupply,
    constructorParameters: ['Fixed Supply', 'FIX', '1000', wallet.address],
    feeLevel: 'MEDIUM' as const,
    refId: 'our own code',
    ...change,
  };
}

/** Deploys it and waits until it is there. */
export async function deployBytecode(
  client: CustodyApi,
  wallet: Wallet,
  change: object = {},
): Promise<Deployed> {
  const { contractId, transactionId } = await client.deployContract(
    codeDeploymentOf(wallet, change),
  );
  await settled(client, transactionId);
  const { contract } = await client.getContract({ id: contractId });
  return { contractId, transactionId, address: contract.contractAddress ?? '' };
}

/** A request to import whatever is at an address. */
export function importOf(address: string, change: object = {}) {
  return { idempotencyKey: randomUUID(), name: 'Imported', address, blockchain, ...change };
}

/** A request to watch the transfers of a token. */
export function monitorOf(contractAddress: string, change: object = {}) {
  return {
    idempotencyKey: randomUUID(),
    blockchain,
    contractAddress,
    eventSignature: 'Transfer(address,address,uint256)',
    ...change,
  };
}
