import { decodeFunctionResult, parseAbi } from 'viem';
import { outputOf } from '../custody/abi/callData';
import type { CustodyApi } from '../custody/endpoints';
import type { PolicyTokens } from './call/callEffects';
import type { Moneys } from './file/money';
import type { Policy } from './file/policy';

const decimalsAbi = parseAbi(['function decimals() view returns (uint8)']);

/** The tokens that a policy names. Decimals that are not known by heart are read once. */
export function tokensOf(
  custody: Pick<CustodyApi, 'queryContract'>,
  { policy, moneys, blockchain }: { policy: Policy; moneys: Moneys; blockchain: string },
): PolicyTokens {
  const read = new Map<string, number>();
  return {
    moneyOf: moneys.moneyOf,
    isListed: (address) => policy.tokens.has(address),
    decimalsOf: async (address) => {
      const known = moneys.decimalsOf(address) ?? read.get(address);
      if (known !== undefined) return known;
      const call = { address, blockchain, abiFunctionSignature: 'decimals()', abiParameters: [] };
      const { outputData } = await custody.queryContract(call);
      const decimals = decodeFunctionResult({ abi: decimalsAbi, data: outputOf(outputData) });
      read.set(address, decimals);
      return decimals;
    },
  };
}
