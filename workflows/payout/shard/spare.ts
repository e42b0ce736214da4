import { toBaseUnits } from '../../../src/custody/objects/amount';
import { sameMoney } from '../../../src/custody/objects/sameMoney';
import { isOneBalance } from '../../../src/orders/payout/tally';
import { longReads } from '../../order/custody';
import { troubleDelayMs } from '../../write/delays';
import { type Line, linesAt, type Shard } from './shard';
import { trying } from './trying';

/** How long it is believed what the wallets hold. */
const freshMs = 1_000;

/** Whether a line can be paid out of what its wallet holds above its reserve, if it has one. */
export function hasSpare(shard: Shard, line: Line): boolean {
  if (shard.order.terms.reserve === undefined) return true;
  const { spare } = shard;
  // Others may spend from the same wallet.
  if (Date.now() - spare.readAtMs > freshMs) return false;
  const isEnough = (spare.units.get(pocketOf(shard, line)) ?? 0n) >= unitsOf(shard, line);
  const { wallet, token, state } = line;
  if (!isEnough) {
    state.isShort = true;
    state.why = `${wallet.address} holds too little ${token.name} above its reserve.`;
  }
  return isEnough;
}

/** Takes a line out of what may be spent, before it is sent. */
export function spend(shard: Shard, line: Line): void {
  const { order, spare } = shard;
  if (order.terms.reserve === undefined) return;
  const pocket = pocketOf(shard, line);
  spare.units.set(pocket, (spare.units.get(pocket) ?? 0n) - unitsOf(shard, line));
  Object.assign(spare, { times: 0, nextMs: 0 });
}

/** Reads what the wallets hold, unless that was read just now. Returns when it is worth it again. */
export function readSpareWhenNeeded(shard: Shard): number {
  const { spare } = shard;
  if (spare.isReading) return Number.POSITIVE_INFINITY;
  if (Date.now() < spare.nextMs) return spare.nextMs;
  spare.isReading = true;
  void readSpare(shard);
  return Number.POSITIVE_INFINITY;
}

async function readSpare(shard: Shard): Promise<void> {
  const { spare, order } = shard;
  const { terms, tokens } = order;
  const wallets = [...new Set(linesAt(shard, 'ready').map(({ line }) => line.wallet))];
  const walletIds = wallets.flatMap((wallet) => terms.wallets[wallet]?.walletId ?? []);
  const { nativeTwins } = terms;
  const holdings = await trying(shard, () =>
    longReads('what the wallets hold').readHoldings({ walletIds, tokens, nativeTwins }),
  );
  for (const [walletId, held] of Object.entries(holdings ?? {})) {
    if (isOneBalance(tokens, held, nativeTwins)) spare.shared.add(walletId);
    else spare.shared.delete(walletId);
    for (const [at, token] of tokens.entries()) {
      const reserve = toBaseUnits(terms.reserve ?? '0', token.decimals);
      const pocket = pocketOf(shard, { wallet: { walletId }, token });
      // The native coin speaks for its twin, and has the finer units.
      if (token.address !== '' && pocket.endsWith(coin)) continue;
      const units = BigInt(held[at] ?? '0') - reserve - underWay(shard, pocket);
      spare.units.set(pocket, units);
    }
  }
  // What has settled since may show already, and was counted all the same: never the other way.
  spare.readAtMs = holdings === undefined ? 0 : Date.now();
  spare.times += 1;
  spare.nextMs = Date.now() + troubleDelayMs(spare.times + 1);
  spare.isReading = false;
}

/** What may have left a wallet without showing yet, or may still leave it. */
function underWay(shard: Shard, pocket: string): bigint {
  return linesAt(shard, 'sending', 'accepted', 'doubt', 'unknown', 'disputed')
    .filter((line) => pocketOf(shard, line) === pocket)
    .reduce((sum, line) => sum + unitsOf(shard, line), 0n);
}

const coin = ' coin';

/** What is spent from: a token of a wallet, or its native coin and the twin of that together. */
function pocketOf({ spare, order }: Shard, { wallet, token }: Holder): string {
  const { walletId } = wallet;
  const isShared =
    spare.shared.has(walletId) && sameMoney(token.address, '', order.terms.nativeTwins);
  return `${walletId}${isShared ? coin : ` ${token.address}`}`;
}

type Holder = { wallet: { walletId: string }; token: { address: string } };

function unitsOf(shard: Shard, { line, token, wallet }: Line): bigint {
  const isShared = pocketOf(shard, { wallet, token }).endsWith(coin);
  const native = shard.order.tokens.find(({ address }) => address === '');
  return toBaseUnits(line.amount, (isShared ? native : undefined)?.decimals ?? token.decimals);
}
