import { encodeFunctionData, getAddress, isAddress, parseUnits, zeroAddress } from 'viem';
import { blockchainFault } from '../blockchainFault';
import { stablecoinAbi } from '../chain/abi';
import { refusal } from '../errors';
import type { Handlers, Service } from '../service';

/** What one drip gives. On Arc, USDC is the native coin too, so a drip of either gives both. */
const dripUnits = '20';
const gasLimit = 120_000n;

/**
 * The test network's faucet. It answers when the drip is in a block, so that whoever reads the
 * balance next sees it.
 */
export function faucetHandlers(service: Service): Handlers<'requestDrip'> {
  const { chain, engine, shown } = service;
  return {
    requestDrip: async (input) => {
      // The coins give nothing to the zero address.
      if (!isAddress(input.address) || input.address === zeroAddress) throw invalidDestination();
      const { blockchain } = input;
      const wrong = blockchainFault({ blockchain, served: shown.blockchain });
      if (wrong) throw wrong;
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
        ...(usdc ? [{ to, value: parseUnits(dripUnits, 18), data: '0x' as const }] : []),
        ...(usdc ? [mint(chain.contracts.usdc)] : []),
        ...(input.eurc === true ? [mint(chain.contracts.eurc)] : []),
      ];
      if (!(await engine.sendAsFaucet(calls, gasLimit))) throw invalidDestination();
      return {};
    },
  };
}

/** Also of a contract that does not take what it is sent. */
function invalidDestination() {
  return refusal(155219, 'Invalid destination address.');
}
