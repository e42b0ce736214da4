import { type Address, type PublicClient, toHex } from 'viem';
import { getBlock } from 'viem/actions';
import { callNode } from './callNode';

/**
 * Gives the base fee of the newest block to its beneficiary, as Arc does. The node itself gives it
 * the tips, and burns the rest. The same blocks get the same state, also when they are mined again.
 */
export async function payBeneficiary(
  node: { rpcUrl: string; client: PublicClient; baseFeePerGas: bigint },
  block?: { miner: Address; gasUsed: bigint },
): Promise<void> {
  const { miner, gasUsed } = block ?? (await getBlock(node.client));
  if (gasUsed === 0n) return;
  const fee = toHex(gasUsed * node.baseFeePerGas);
  await callNode(node.rpcUrl, { method: 'anvil_addBalance', params: [miner, fee] });
}
