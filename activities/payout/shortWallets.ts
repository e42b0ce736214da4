import { Context } from '@temporalio/activity';
import type { CustodyApi } from '../../src/custody/endpoints';
import { fromBaseUnits, toBaseUnits } from '../../src/custody/objects/amount';
import { blockchains } from '../../src/custody/objects/blockchain';
import type { ResolvedToken, ResolvedWallet } from '../../src/orders/kind';
import type { LineResult } from '../../src/orders/payout';
import { isOneBalance, sealAgain } from '../../src/orders/payout/tally';
import { tryRead } from '../attempt';
import { withinLimits } from '../everyPage';
import { heldIn } from '../wallets';
import { readFee } from './readFee';
import type { PayoutTerms } from './shardOrder';

type Paying = {
  terms: PayoutTerms;
  lines: readonly LineResult[];
  /** By the names that lines have for them. */
  tokens: ReadonlyMap<string, ResolvedToken>;
};

/** What a wallet has to have of a token besides its reserve, in base units. */
type Need = { token: ResolvedToken; units: bigint; isFee: boolean };

type Held = (token: Pick<ResolvedToken, 'address' | 'decimals'>) => string | undefined;

/** Wallets that hold less than their lines need, their reserve and their fees, each a sentence. */
export async function shortWallets(custody: CustodyApi, paying: Paying): Promise<string[]> {
  const { terms } = paying;
  const waiting = paying.lines.filter(({ outcome }) => outcome === 'waiting');
  const faults: string[] = [];
  for (const wallet of terms.wallets) {
    const own = waiting.filter(({ walletAddress }) => walletAddress === wallet.address);
    if (own.length === 0) continue;
    const held = await holdingsOf(custody, wallet, terms);
    const needs = await needsOf(custody, wallet, { ...paying, lines: own });
    const lacks = needs.flatMap((need) => lack(need, { wallet, held, terms }));
    faults.push(...(lacks.length > 0 ? lacks : lackTogether(needs, { wallet, held, terms })));
    Context.current().heartbeat();
  }
  return faults;
}

async function holdingsOf(
  custody: CustodyApi,
  wallet: ResolvedWallet,
  { nativeTwins }: PayoutTerms,
): Promise<Held> {
  const input = { id: wallet.walletId, includeAll: true };
  const { tokenBalances } = await tryRead((signal) =>
    withinLimits(() => custody.listBalances(input, { signal })),
  );
  return ({ address, decimals }) =>
    heldIn(tokenBalances, { token: { name: '', address, decimals, ids: [] }, nativeTwins })
      ?.baseUnits;
}

async function needsOf(
  custody: CustodyApi,
  wallet: ResolvedWallet,
  { terms, lines, tokens }: Paying,
): Promise<Need[]> {
  const addressOf = ({ token }: LineResult) => tokens.get(token)?.address;
  const needs = new Map<string, Need>();
  for (const line of lines) {
    const token = tokens.get(line.token);
    if (token === undefined || needs.has(token.address)) continue;
    const same = lines.filter((other) => addressOf(other) === token.address);
    const units = same.reduce((sum, { amount }) => sum + toBaseUnits(amount, token.decimals), 0n);
    needs.set(token.address, { token, units, isFee: false });
  }
  const fee = await readFee(custody, { terms, wallet, line: lines[0], tokens });
  if (fee === undefined) return [...needs.values()];
  const units = fee.perLine * BigInt(lines.length);
  return [...needs.values(), { token: fee.native, units, isFee: true }];
}

type Having = { wallet: ResolvedWallet; held: Held; terms: PayoutTerms };

function lack({ token, units, isFee }: Need, { wallet, held, terms }: Having): string[] {
  const { name, decimals } = token;
  const reserve = isFee ? 0n : toBaseUnits(terms.reserve ?? '0', decimals);
  const has = BigInt(held(token) ?? 0);
  if (has >= units + reserve) return [];
  return [
    `wallets: ${wallet.address} holds ${fromBaseUnits(has, decimals)} ${name}, and its lines need ` +
      `${fromBaseUnits(units + reserve, decimals)}, with its reserve.` +
      `${isFee ? ' It pays the fees.' : ''} Fund it. ${sealAgain}`,
  ];
}

/** What is enough for each token alone may be too little where two of them are one money. */
function lackTogether(needs: readonly Need[], { wallet, held, terms }: Having): string[] {
  const { blockchain, nativeTwins, reserve = '0' } = terms;
  const known = blockchains[blockchain]?.tokens ?? [];
  const coin = known.find(({ address }) => address === '');
  const twins = nativeTwins.map((twin) => twin.toLowerCase());
  const isCoin = ({ address }: { address: string }) =>
    address === '' || twins.includes(address.toLowerCase());
  const faces = known.filter(isCoin);
  if (coin === undefined || !isOneBalance(faces, faces.map(held), nativeTwins)) return [];
  const { decimals } = coin;
  const own = needs.filter(({ token }) => isCoin(token));
  const needed = own.reduce(
    (sum, { token, units }) => sum + units * 10n ** BigInt(decimals - token.decimals),
    own.some(({ isFee }) => !isFee) ? toBaseUnits(reserve, decimals) : 0n,
  );
  const has = BigInt(held(coin) ?? 0);
  if (has >= needed) return [];
  const name = faces.find(({ address }) => address !== '')?.symbol;
  return [
    `wallets: ${wallet.address} holds ${fromBaseUnits(has, decimals)} ${name}, which is the native ` +
      `coin, too, and its lines need ${fromBaseUnits(needed, decimals)} of both together, with its ` +
      `reserve and its fees. Fund it. ${sealAgain}`,
  ];
}
