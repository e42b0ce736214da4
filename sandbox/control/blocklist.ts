import type { FastifyInstance } from 'fastify';
import { type Address, encodeFunctionData, getAddress, isAddress, zeroAddress } from 'viem';
import { z } from 'zod';
import type { Chain } from '../chain/chain';
import { stablecoinAbi } from '../chain/genesis/abi';
import type { Engine } from '../engine/engine';
import { parseInput } from '../errors/fieldFaults';
import { unlessAborted } from '../http/carryOut';

/** An account that the coins may block. Each coin reverts for the zero address anyway. */
const account = z.strictObject({
  address: z
    .string()
    .refine((text) => isAddress(text, { strict: false }) && text !== zeroAddress, {
      error: 'is not the address of an account: write 0x and 40 hexadecimal digits, not all zero',
    })
    .transform((text) => getAddress(text)),
});

/** Has the coins block an account, or no longer. */
export type SetBlocked = (address: Address, isBlocked: boolean) => Promise<void>;

/** The block list of the coins. Each change is in a block when it is answered. */
export function addBlocklist(
  control: FastifyInstance,
  current: { use(): Promise<{ setBlocked: SetBlocked; replaced: AbortSignal }> },
): void {
  for (const [method, blocked] of [
    ['PUT', true],
    ['DELETE', false],
  ] as const) {
    const handler = async ({ params }: { params: unknown }) => {
      const { address } = parseInput(account, params);
      const { setBlocked, replaced } = await current.use();
      await unlessAborted(replaced, setBlocked(address, blocked));
      return { address, blocked };
    };
    control.route({ method, url: '/_sandbox/blocklist/:address', handler });
  }
}

const gasLimit = 80_000n;

/** USDC and EURC have one owner, who blocks an account in both. */
export function createSetBlocked(parts: {
  chain: Pick<Chain, 'contracts'>;
  engine: Pick<Engine, 'sendAsFaucet'>;
}): SetBlocked {
  const { usdc, eurc } = parts.chain.contracts;
  return async (address, isBlocked) => {
    const functionName = isBlocked ? 'blacklist' : 'unBlacklist';
    const data = encodeFunctionData({ abi: stablecoinAbi, functionName, args: [address] });
    const calls = [usdc, eurc].map((to) => ({ to, value: 0n, data }));
    if (await parts.engine.sendAsFaucet(calls, gasLimit)) return;
    throw new Error(`The coins could not ${functionName} ${address}.`);
  };
}
