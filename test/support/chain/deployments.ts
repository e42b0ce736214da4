import { randomUUID } from 'node:crypto';
import type { AbiParameter, CustodyApi } from '../../../src/custody/endpoints';
import { type TemplateFamily, templateIds } from '../../../src/custody/objects/template';
import type { Wallet } from '../../../src/custody/objects/wallet';
import { blockchain, settled } from '../sandbox';

export type Deployed = { contractId: string; transactionId: string; address: string };

/** The three required parameters of a fungible token that the wallet controls, with changes. */
export function parametersOf(wallet: Wallet, change: object = {}): Record<string, unknown> {
  return {
    name: 'First Token',
    defaultAdmin: wallet.address,
    primarySaleRecipient: wallet.address,
    ...change,
  };
}

/** A complete request to deploy a fungible token. */
export function deploymentOf(wallet: Wallet, change: object = {}) {
  return {
    idempotencyKey: randomUUID(),
    name: 'Console name',
    description: 'For a test',
    walletId: wallet.id,
    blockchain,
    templateParameters: parametersOf(wallet),
    feeLevel: 'MEDIUM' as const,
    refId: 'our first token',
    ...change,
  };
}

/** Deploys a fungible token and waits until it is on the chain. */
export function deployToken(
  client: CustodyApi,
  wallet: Wallet,
  parameters: object = {},
): Promise<Deployed> {
  return deployTemplate(client, wallet, { family: 'fungible', ...parameters });
}

/** Deploys any template under the wallet's control, and waits until it is on the chain. */
export async function deployTemplate(
  client: CustodyApi,
  wallet: Wallet,
  { family, ...change }: { family: TemplateFamily; [parameter: string]: unknown },
): Promise<Deployed> {
  const royalty = { royaltyRecipient: wallet.address, royaltyPercent: 0 };
  const required = {
    fungible: parametersOf(wallet),
    uniqueItem: parametersOf(wallet, royalty),
    multiToken: parametersOf(wallet, royalty),
    airdrop: { defaultAdmin: wallet.address },
  }[family];
  const { contractIds, transactionId } = await client.deployTemplate({
    id: templateIds[family],
    ...deploymentOf(wallet, { templateParameters: { ...required, ...change } }),
  });
  await settled(client, transactionId);
  const contractId = contractIds[0] ?? '';
  const { contract } = await client.getContract({ id: contractId });
  return { contractId, transactionId, address: contract.contractAddress ?? '' };
}

/** The values that a view function of a contract returns. */
export async function valuesOf(
  client: CustodyApi,
  address: string,
  call: { signature: string; parameters?: AbiParameter[] },
): Promise<unknown[] | undefined> {
  const { outputValues } = await client.queryContract({
    address,
    blockchain,
    abiFunctionSignature: call.signature,
    abiParameters: call.parameters ?? [],
  });
  return outputValues;
}
