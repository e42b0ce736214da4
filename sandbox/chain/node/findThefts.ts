import { type Hex, isAddress, isAddressEqual, isHash, toHex } from 'viem';
import { z } from 'zod';
import { nativeMover, stablecoinAddresses } from '../genesis/contracts';
import { callNode } from './callNode';

const address = z.custom<Hex>((value) => typeof value === 'string' && isAddress(value));

/** Calls of a block, those within others too. */
const callsSchema = z.array(
  z.object({
    transactionHash: z.custom<Hex>((value) => typeof value === 'string' && isHash(value)),
    // A contract that destroys itself names no sender. It gives coins, and moves none of others.
    action: z.object({ from: address.optional() }),
  }),
);

/** The calls that one answer holds. It has their inputs, and whoever calls chooses their size. */
const callsMax = 40;

/**
 * Finds transactions of a mined block in which an account other than USDC moves native coins by
 * the precompile. Returns the first ones only. The balances add up after all other movements:
 * values, fees, and what USDC moves itself.
 */
export async function findThefts(
  { rpcUrl }: { rpcUrl: string },
  { number, transactions }: { number: number; transactions: readonly Hex[] },
): Promise<ReadonlySet<Hex>> {
  if (transactions.length === 0) return new Set();
  const [fromBlock, toBlock] = [toHex(number), toHex(number)];
  const filter = { fromBlock, toBlock, toAddress: [nativeMover], mode: 'intersection' };
  for (let after = 0; ; after += callsMax) {
    const params = [{ ...filter, after, count: callsMax }];
    const calls = callsSchema.parse(await callNode(rpcUrl, { method: 'trace_filter', params }));
    const thefts = calls.filter(
      ({ action: { from } }) => from && !isAddressEqual(from, stablecoinAddresses.usdc),
    );
    // The block is mined again without these, and looked at again.
    if (thefts.length > 0 || calls.length < callsMax) {
      return new Set(thefts.map(({ transactionHash }) => transactionHash));
    }
  }
}
