import { type Address, toFunctionSelector } from 'viem';
import type { Chain } from './chain';

const selector = toFunctionSelector('isBlacklisted(address)');

/** The words of Arc's node for a transaction that it does not run, since an account is blocked. */
export const blockedWords = 'Blocked address';

/** Returns true if USDC has blocked one of the accounts, at the newest block. */
export async function isBlocked(
  { contracts, readNumber }: Pick<Chain, 'contracts' | 'readNumber'>,
  accounts: readonly Address[],
): Promise<boolean> {
  const answers = await Promise.all(
    accounts.map((account) => readNumber({ to: contracts.usdc, selector, words: [account] })),
  );
  return answers.some((answer) => answer === 1n);
}
