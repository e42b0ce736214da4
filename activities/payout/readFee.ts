import type { CustodyApi } from '../../src/custody/endpoints';
import { RefusedError } from '../../src/custody/errors';
import { toBaseUnits } from '../../src/custody/objects/amount';
import { blockchains } from '../../src/custody/objects/blockchain';
import type { ResolvedToken, ResolvedWallet } from '../../src/orders/kind';
import type { LineResult } from '../../src/orders/payout';
import { tryRead } from '../attempt';
import { withinLimits } from '../everyPage';
import { feeFields } from '../guard/estimate';
import type { PayoutTerms } from './shardOrder';

type Asked = {
  terms: PayoutTerms;
  wallet: ResolvedWallet;
  line: LineResult | undefined;
  tokens: ReadonlyMap<string, ResolvedToken>;
};

/**
 * What a line costs the wallet that pays it, in base units of the native coin. Undefined where a
 * paymaster pays, or where the service has no opinion: then the line itself will tell.
 */
export async function readFee(
  custody: CustodyApi,
  { terms, wallet, line, tokens }: Asked,
): Promise<{ perLine: bigint; native: ResolvedToken } | undefined> {
  const { blockchain, feeLevel } = terms;
  const coin = blockchains[blockchain]?.tokens.find(({ symbol }) => symbol === 'native');
  const token = tokens.get(line?.token ?? '');
  if (wallet.accountType !== 'EOA' || coin === undefined) return undefined;
  if (line === undefined || token === undefined) return undefined;
  const way = { sourceAddress: wallet.address, blockchain, destinationAddress: line.to };
  const input = { ...way, tokenAddress: token.address, amounts: [line.amount] };
  const estimate = await tryRead(async (signal) => {
    try {
      return await withinLimits(() => custody.estimateTransfer(input, { signal }));
    } catch (error) {
      if (error instanceof RefusedError && error.status === 400) return undefined;
      throw error;
    }
  });
  if (estimate === undefined) return undefined;
  const native = { name: 'native', address: '', decimals: coin.decimals, ids: [] };
  const { networkFee } = estimate[feeFields[feeLevel]];
  return { perLine: toBaseUnits(networkFee, coin.decimals), native };
}
