import type { Fact } from '../../client/asking/facts';
import type { Receipt } from '../../client/client';
import { grouped } from './facts';
import { type ChainReader, movementTo } from './readChain';

/** The results of a deployment, each read back from the chain. */
export async function deploymentFacts(
  receipt: Receipt<'deploymentSequence'>,
  symbol: string,
  chain: ChainReader,
): Promise<Fact[]> {
  const { supply } = receipt;
  const deployed = await chain.transaction(receipt.txHash);
  const facts: Fact[] = [
    ['contract', receipt.contractAddress],
    ['deployed by', `${receipt.wallet.address} (${receipt.wallet.accountType} wallet)`],
    ['deployment', receipt.txHash],
    ['on chain', `${yes(deployed.isSuccess)}, block ${deployed.blockNumber}`],
  ];
  if (supply === undefined) return facts;
  const minted = await chain.transaction(supply.mintTxHash);
  const { amount, to } = movementTo(minted, receipt.wallet.address);
  const log = `Transfer log of ${grouped(amount)} ${symbol} to ${to}`;
  return [
    ...facts,
    ['mint', supply.mintTxHash],
    ['on chain', `${yes(minted.isSuccess)}, block ${minted.blockNumber}, ${log}`],
    ['total supply', `${grouped(supply.before)} → ${grouped(supply.after)} ${symbol}`],
  ];
}

/** The word for a transaction that its chain has, as it should. */
export function yes(isSuccess: boolean): string {
  return isSuccess ? 'yes' : 'reverted';
}
