import { createPublicClient, erc20Abi, http, type PublicClient } from 'viem';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { stablecoinAddresses } from '../../sandbox/chain/genesis/contracts';

/** A new address, so that all its transfers belong to one measure. */
export function freshAddress(): `0x${string}` {
  return privateKeyToAddress(generatePrivateKey());
}

/** Throws unless the chain has logged exactly this many transfers of USDC to the address. */
export async function requireTransfers(
  chain: string | PublicClient,
  expected: { to: `0x${string}`; count: number },
): Promise<void> {
  const client =
    typeof chain === 'string'
      ? createPublicClient({ transport: http(chain, { timeout: 60_000 }) })
      : chain;
  const logs = await client.getContractEvents({
    address: stablecoinAddresses.usdc,
    abi: erc20Abi,
    eventName: 'Transfer',
    args: { to: expected.to },
    fromBlock: 0n,
  });
  if (logs.length === expected.count) return;
  throw new Error(`The chain has ${logs.length} transfers where ${expected.count} belong.`);
}
