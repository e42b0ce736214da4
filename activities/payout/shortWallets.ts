import { Context } from '@temporalio/activity';
import type { CustodyApi } from '../../src/custody/endpoints';
import { balancesOf } from '../../src/custody/list';
import { fromBaseUnits, toBaseUnits } from '../../src/custody/objects/amount';
import { moneyOf } from '../../src/custody/objects/money';
import type { ResolvedToken, ResolvedWallet } from '../../src/orders/kind';
import type { LineResult } from '../../src/orders/payout';
import { finest, wayToSeal } from '../../src/orders/payout/tally';
import { tryFind, tryRead } from '../attempt';
import { feeFields } from '../guard/estimate';
import { withinLimits } from '../reading';
import { heldIn } from '../wallets';
import type { PayoutTerms } from './shardOrder';

type Paying = {
  terms: PayoutTerms;
  lines: readonly LineResult[];
  /** By the names that lines have for them. */
  tokens: ReadonlyMap<string, ResolvedToken>;
};

/** Money that a wallet needs, in the finest units: one token, or two tokens that are one balance. */
type Need = { token: Coin; units: bigint; names: Set<string>; paysFees: boolean };
type Coin = Pick<ResolvedToken, 'name' | 'address' | 'decimals'>;

/** Wallets that hold less than their lines need, their reserve and their fees, each a sentence. */
export async function shortWallets(custody: CustodyApi, paying: Paying): Promise<string[]> {
  const { terms } = paying;
  const waiting = paying.lines.filter(({ outcome }) => outcome === 'waiting');
  const faults: string[] = [];
  for (const wallet of terms.wallets) {
    const lines = waiting.filter(({ walletAddress }) => walletAddress === wallet.address);
    if (lines.length === 0) continue;
    faults.push(...(await lacks(custody, wallet, { ...paying, lines })));
    Context.current().heartbeat();
  }
  return faults;
}

async function lacks(
  custody: CustodyApi,
  { walletId: id, address, accountType }: ResolvedWallet,
  { terms, lines, tokens }: Paying,
): Promise<string[]> {
  const { blockchain, order } = terms;
  const tokenBalances = await tryRead((signal) =>
    balancesOf(async (page, how) => {
      const asked = { id, includeAll: true, ...page };
      const call = () => custody.listBalances(asked, { signal, ...how });
      return (await withinLimits(call)).tokenBalances;
    }),
  );
  const heldOf = ({ name, ...token }: Coin): bigint => {
    const held = heldIn(tokenBalances, { token: { name, ...token, ids: [] }, blockchain });
    return toBaseUnits(fromBaseUnits(BigInt(held?.baseUnits ?? 0), token.decimals), finest);
  };
  const needs = new Map<string, Need>();
  const need = (token: Coin, units: bigint): Need => {
    const key = moneyOf(token.address, blockchain);
    const known = needs.get(key) ?? { token, units: 0n, names: new Set(), paysFees: false };
    needs.set(key, known);
    known.names.add(token.name);
    known.units += units;
    return known;
  };
  for (const { token: name, amount } of lines) {
    const token = tokens.get(name);
    if (token !== undefined) need(token, toBaseUnits(amount, finest));
  }
  for (const known of needs.values())
    known.units += toBaseUnits(order.reservePerWallet ?? '0', finest);
  const fee =
    accountType === 'EOA' ? await readFee(custody, address, { terms, lines, tokens }) : 0n;
  if (fee > 0n) need({ name: 'native', address: '', decimals: 18 }, fee).paysFees = true;
  return [...needs.values()].flatMap(({ token, units, names, paysFees }) => {
    const held = heldOf(token);
    if (held >= units) return [];
    const both = names.size > 1 ? ` of ${[...names].join(' and ')} together` : '';
    return [
      `wallets: ${address} holds ${fromBaseUnits(held, finest)} ${token.name}, and its lines need ` +
        `${fromBaseUnits(units, finest)}${both}, with its reserve${paysFees ? ' and its fees' : ''}. ` +
        `Fund it. ${wayToSeal}`,
    ];
  });
}

/**
 * The estimated fees of all lines, in the finest units. Zero when the service refuses to estimate:
 * it then judges each line when it is sent.
 */
async function readFee(
  custody: CustodyApi,
  sourceAddress: string,
  { terms, lines, tokens }: Paying,
): Promise<bigint> {
  const [line] = lines;
  const token = tokens.get(line?.token ?? '');
  if (line === undefined || token === undefined) return 0n;
  const { blockchain, order } = terms;
  const way = { sourceAddress, blockchain, destinationAddress: line.to };
  const input = { ...way, tokenAddress: token.address, amounts: [line.amount] };
  const estimate = await tryFind(400, (signal) =>
    withinLimits(() => custody.estimateTransfer(input, { signal })),
  );
  if (estimate === undefined) return 0n;
  return toBaseUnits(estimate[feeFields[order.feeLevel]].networkFee, finest) * BigInt(lines.length);
}
