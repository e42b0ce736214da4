import { type Hex, isAddressEqual, isHash, toHex } from 'viem';
import { z } from 'zod';
import { nativeMover, stablecoinAddresses } from '../genesis/contracts';
import { callNode } from './callNode';

/** All that a block has run. Creations and self-destructs have fields of their own. */
const tracesSchema = z.array(z.looseObject({ type: z.string() }));

/** The calls of a block, those within others too. */
const callsSchema = z.array(
  z.object({
    transactionHash: z.custom<Hex>((value) => typeof value === 'string' && isHash(value)),
    action: z.object({ from: addressSchema(), to: addressSchema() }),
  }),
);

function addressSchema() {
  return z.custom<Hex>((value) => typeof value === 'string' && value.startsWith('0x'));
}

/**
 * The transactions of a mined block in which an account other than USDC calls the precompile that
 * moves native coins. Every other movement is a value, a fee or USDC's own, so that without them
 * the balances add up.
 */
export async function findThefts(
  { rpcUrl }: { rpcUrl: string },
  { number, transactions }: { number: number; transactions: readonly Hex[] },
): Promise<ReadonlySet<Hex>> {
  if (transactions.length === 0) return new Set();
  const traced = await callNode(rpcUrl, { method: 'trace_block', params: [toHex(number)] });
  const calls = tracesSchema.parse(traced).filter(({ type }) => type === 'call');
  const thefts = callsSchema
    .parse(calls)
    .filter(
      ({ action: { from, to } }) =>
        isAddressEqual(to, nativeMover) && !isAddressEqual(from, stablecoinAddresses.usdc),
    );
  return new Set(thefts.map(({ transactionHash }) => transactionHash));
}
