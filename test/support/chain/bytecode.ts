import { randomUUID } from 'node:crypto';
import { abi, bytecode } from '@openzeppelin/contracts/build/contracts/ERC20PresetFixedSupply.json';
import type { CustodyApi } from '../../../src/custody/endpoints';
import type { Wallet } from '../../../src/custody/objects/wallet';
import { blockchain, settled } from '../sandbox';
import type { Deployed } from './deployments';

/**
 * A token whose constructor mints the whole supply. Its parameters: name, symbol, supply, owner.
 */
export const fixedSupply = { abiJson: JSON.stringify(abi), bytecode };

/** A complete request to deploy that token. The wallet gets the whole supply. */
export function codeDeploymentOf(wallet: Wallet, change: object = {}) {
  return {
    idempotencyKey: randomUUID(),
    name: 'Fixed',
    description: 'A contract of bytecode',
    walletId: wallet.id,
    blockchain,
    ...fixedSupply,
    constructorParameters: ['Fixed Supply', 'FIX', '1000', wallet.address],
    feeLevel: 'MEDIUM' as const,
    refId: 'our own code',
    ...change,
  };
}

/** Deploys the token and waits until it is on the chain. */
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

/** A request to import the contract at an address. */
export function importOf(address: string, change: object = {}) {
  return { idempotencyKey: randomUUID(), name: 'Imported', address, blockchain, ...change };
}

/** A request to monitor the transfers of a token. */
export function monitorOf(contractAddress: string, change: object = {}) {
  return {
    idempotencyKey: randomUUID(),
    blockchain,
    contractAddress,
    eventSignature: 'Transfer(address,address,uint256)',
    ...change,
  };
}
