import type { CustodyApi } from '../custody/endpoints';
import type { PolicyTokens } from './call/callEffects';
import { type Moneys, moneysOf } from './file/money';
import type { Policy } from './file/policy';
import { tokensOf } from './tokens';
import { type WalletBook, walletBook } from './wallets';

/** The names of wallets and tokens, by the writer's own reads. */
export type Knowledge = { book: WalletBook; moneys: Moneys; tokens: PolicyTokens };

/** Remembers what it has read once, for all that judge with it. */
export function knowledgeOf(
  custody: CustodyApi,
  { policy, blockchain }: { policy: Policy; blockchain: string },
): Knowledge {
  const moneys = moneysOf(blockchain);
  const tokens = tokensOf(custody, { policy, moneys, blockchain });
  return { book: walletBook(custody, blockchain), moneys, tokens };
}
