import { decodeFunctionResult, parseAbi } from 'viem';
import { outputOf } from '../../custody/abi/callData';
import type { CustodyApi } from '../../custody/endpoints';
import { type Screener, unavailable } from './verdict';

const abi = parseAbi(['function isBlacklisted(address account) view returns (bool)']);

/** Screens by the block lists of tokens, which the chain itself enforces. */
export function askTokens(
  custody: Pick<CustodyApi, 'queryContract'>,
  { tokens, blockchain }: { tokens: readonly string[]; blockchain: string },
): Screener {
  const isListed = async (token: string, account: string): Promise<boolean> => {
    const { outputData } = await custody.queryContract({
      address: token,
      blockchain,
      abiFunctionSignature: 'isBlacklisted(address)',
      abiParameters: [account],
    });
    return decodeFunctionResult({ abi, data: outputOf(outputData) });
  };
  return async (account) => {
    if (tokens.length === 0) return unavailable('the policy names no token that could be asked');
    for (const token of tokens) {
      try {
        if (await isListed(token, account)) {
          return { kind: 'match', words: `the token ${token} has blocked it` };
        }
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        return unavailable(`isBlacklisted of the token ${token} has no answer: ${reason}`);
      }
    }
    return { kind: 'clear', words: 'no token has blocked it' };
  };
}
