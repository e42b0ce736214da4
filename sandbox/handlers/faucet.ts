import { encodeFunctionData, getAddress, parseUnits } from 'viem';
import { stablecoinAbi } from '../chain/genesis/abi';
import { fault } from '../errors/errors';
import { requireServed } from '../errors/requireServed';
import { isValidAddress } from './address';
import type { SandboxApi, Service } from './service';

/** The amount of one drip. USDC is the native coin too, so that a drip of either is one of both. */
const dripUnits = '20';
const gasLimit = 120_000n;

/**
 * The test network's faucet. It answers when the drip is in a block, so that whoever reads the
 * balance next sees it.
 */
export function faucetHandlers(service: Service) {
  const { chain, engine, shown } = service;
  return {
    requestDrip: async (input) => {
      if (!isValidAddress(input.address)) throw fault('destinationInvalid');
      const { blockchain } = input;
      requireServed({ blockchain, served: shown.blockchain });
      const to = getAddress(input.address);
      const mint = (token: `0x${string}`) => ({
        to: token,
        value: 0n,
        data: encodeFunctionData({
          abi: stablecoinAbi,
          functionName: 'mint',
          args: [to, parseUnits(dripUnits, 6)],
        }),
      });
      const usdc = input.usdc === true || input.native === true;
      const calls = [
        ...(usdc ? [mint(chain.contracts.usdc)] : []),
        ...(input.eurc === true ? [mint(chain.contracts.eurc)] : []),
      ];
      if (!(await engine.sendAsFaucet(calls, gasLimit))) throw fault('destinationInvalid');
      return {};
    },
  } satisfies Partial<SandboxApi>;
}
