import { toBaseUnits } from '../../../src/custody/objects/amount';
import { readPage } from '../../store/page';
import { toWallet, type WalletRow } from '../../store/records/records';
import type { SandboxToken } from '../../store/records/tokenRecord';
import { requireChain, requireWalletBlockchain } from '../../store/records/walletBlockchain';
import type { SandboxApi, Service } from '../service';
import { readHeld, toBalance } from './balances';
import { requireTokenAddress } from './tokensAsked';
import { walletFilters } from './wallets';

/** Wallets with what they hold. */
export function walletBalanceHandlers(service: Service) {
  const { reads, shown, tokens } = service;
  return {
    /**
     * Wallets, each with what it holds of the native coin and of the token that is asked for, if
     * one is. With an amount, those that hold at least that of the token, else of the native coin.
     */
    listWalletsWithBalances: async (input, options) => {
      const { blockchain, tokenAddress = '', amount__gte: amount } = input;
      requireWalletBlockchain(blockchain, shown.blockchain);
      requireChain({ blockchain });
      requireTokenAddress(tokenAddress);
      const token = await tokens.byAddress(tokenAddress);
      const filters = walletFilters(input);
      const least = amount === undefined ? undefined : { amount, token };
      const id = least && (await idsHolding(service, reads.wallets.list({ filters }), least));
      const paging = { input, filters: { ...filters, id }, paged: options?.paged };
      const rows = readPage(reads.wallets, paging);
      const asked = [...new Set([tokens.native, token])].filter((one) => one !== undefined);
      return { wallets: await Promise.all(rows.map((row) => withBalances(service, row, asked))) };
    },
  } satisfies Partial<SandboxApi>;
}

async function withBalances(service: Service, row: WalletRow, tokens: readonly SandboxToken[]) {
  const held = await Promise.all(
    tokens.map(async (token) => ({ token, held: await readHeld(service, token, row.address) })),
  );
  const tokenBalances = held
    .filter(({ held }) => held > 0n)
    .map(({ token, held }) => toBalance(service, token, held));
  return { ...toWallet(row), tokenBalances };
}

type Least = { amount: string; token: SandboxToken | undefined };

/** The ids of those wallets that have at least this much of the token. None if it is no token. */
async function idsHolding(
  service: Service,
  rows: readonly WalletRow[],
  { amount, token }: Least,
): Promise<string[]> {
  if (token === undefined) return [];
  // Finer than the token's own units, where the amount is.
  const decimals = Math.max(token.decimals, amount.split('.')[1]?.length ?? 0);
  const least = toBaseUnits(amount, decimals);
  const unit = 10n ** BigInt(decimals - token.decimals);
  const held = await Promise.all(rows.map(({ address }) => readHeld(service, token, address)));
  return rows.filter((_, index) => (held[index] ?? 0n) * unit >= least).map(({ id }) => id);
}
