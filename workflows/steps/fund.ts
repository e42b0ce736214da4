import { ApplicationFailure, workflowInfo } from '@temporalio/workflow';
import { fromBaseUnits, toBaseUnits } from '../../src/custody/objects/amount';
import { faucetTokens } from '../../src/custody/objects/faucet';
import type { FeeLevel } from '../../src/custody/objects/transaction';
import type { FundReceipt } from '../../src/orders/fund';
import type { WalletReference } from '../../src/orders/input/fields';
import type { ResolvedToken } from '../../src/orders/kind';
import { stopWhenAsked } from '../order/cancel';
import { writes } from '../order/custody';
import { isDoubtful, type LiveOrder } from '../order/liveOrder';
import { passWhenResumed } from '../order/pauseOrder';
import { read } from '../order/read';
import { finished, show, stumbled } from '../order/show';
import { continueWhenLong, pause } from '../order/wait';
import { operatorDelayMs, settleDelayMs } from '../write/delays';
import { once } from '../write/happened';
import { hasBeenSent, transfer } from './transfer';

export type Funding = {
  wallet: { walletId: string; address: string };
  token: ResolvedToken;
  /** The least amount that the wallet must hold. */
  amount: string;
  source: 'faucet' | 'external' | WalletReference;
  feeLevel: FeeLevel;
  /** True if the write that needs the money was sent already. Then the order waits no more. */
  isSpent?: () => Promise<boolean>;
};

type Holding = { amount: string; units: bigint; tokenId: string; isEnough: boolean };

/** After so many reads of the balance, the order checks whether the money was spent already. */
const looksUntilSpent = 5;

/**
 * Funds a wallet to at least an amount: from the faucet, from a treasury wallet, or by asking
 * anyone to send it. If the faucet gives nothing, the order waits for anyone. Returns undefined if
 * the order is to be cancelled, or if the money was spent already.
 */
export async function fund(live: LiveOrder, funding: Funding): Promise<FundReceipt | undefined> {
  // Once: the money may be spent by the time the order continues as new.
  return once(live, `funded ${funding.wallet.address}`, () => untilFunded(live, funding));
}

async function untilFunded(live: LiveOrder, funding: Funding): Promise<FundReceipt | undefined> {
  const { source: wish } = funding;
  if (typeof wish === 'object') return fromTreasury(live, funding);
  const held = await holding(live, funding);
  if (held?.isEnough) return receipt(live, funding, { ...held, source: 'none', looks: 1 });
  if (isGivenUp(live)) return undefined;
  live.carried.done[balancePath(funding)] ??= `${held?.units ?? 0n}`;
  let source = wish === 'external' ? wish : await askFaucet(live, funding);
  let waits = 0;
  for (let looks = 1; ; looks++) {
    const balance = await holding(live, funding);
    if (balance?.isEnough) return receipt(live, funding, { ...balance, source, looks });
    if (isGivenUp(live)) return undefined;
    if (source === 'faucet' && hasRisen(live, funding, balance?.units ?? 0n)) {
      source = await drip(live, funding, undefined);
      waits = 0;
    } else {
      waits += 1;
      if (waits % looksUntilSpent === 0 && (await funding.isSpent?.())) return undefined;
      show(live, 'Waiting', wanted(funding, source, balance));
      await pause(live, waitMs(waits), `until ${funding.wallet.address} is funded`);
    }
    await continueWhenLong(live);
  }
}

/** Quick while a drip or a transfer is usually on its way, then ever slower: people take longer. */
function waitMs(look: number): number {
  if (look <= looksUntilSpent) return settleDelayMs(look);
  return operatorDelayMs(look - looksUntilSpent);
}

/** Returns whether a cancel was asked for. Stops the order at once if nothing can be sent. */
function isGivenUp(live: LiveOrder): boolean {
  stopWhenAsked(live);
  return live.carried.cancelAsked;
}

/** Once its transfer has settled the money has come, even if it was spent since. */
async function fromTreasury(live: LiveOrder, funding: Funding): Promise<FundReceipt> {
  const { treasury } = live.opened;
  if (treasury === undefined) {
    throw ApplicationFailure.nonRetryable('The treasury wallet was not resolved.', 'Refused');
  }
  const { wallet, token, amount, feeLevel } = funding;
  const way = { from: treasury, to: wallet.address };
  const sent = { step: 'fund', ...way, token, amount, feeLevel };
  if (!(await hasBeenSent(live, sent))) {
    const held = await holding(live, funding);
    if (held?.isEnough) return receipt(live, funding, { ...held, source: 'none', looks: 1 });
  }
  let arrived: Arrival = { amount: '0', looks: 0 };
  // The transfer has settled, so no fault of the balance may change the order's end.
  const afterwards = async (): Promise<void> => {
    arrived = await untilShown(live, funding);
  };
  await transfer(live, { ...sent, afterwards });
  return receipt(live, funding, { ...arrived, source: 'treasury' });
}

/** A wallet's balance, and the number of the read that showed it. */
type Arrival = { amount: string; tokenId?: string; looks: number };

/** The balance once it shows the money, or as it is. The money may be spent since. */
async function untilShown(live: LiveOrder, funding: Funding): Promise<Arrival> {
  for (let looks = 1; ; looks++) {
    const held = await holding(live, funding);
    if (held?.isEnough || looks === looksUntilSpent) return { amount: '0', ...held, looks };
    const { address } = funding.wallet;
    await pause(live, settleDelayMs(looks), `until the service shows it at ${address}`);
  }
}

/** The wallet's balance, and whether it is enough. */
async function holding(live: LiveOrder, funding: Funding): Promise<Holding | undefined> {
  const { wallet, token, amount } = funding;
  const { nativeTwins } = live.opened;
  const held = await read(live, `balance of ${wallet.address}`, (from) =>
    from.readBalance({ walletId: wallet.walletId, token, nativeTwins }),
  );
  if (held === undefined) return undefined;
  const units = BigInt(held.baseUnits);
  const isEnough = units >= toBaseUnits(amount, token.decimals);
  return { amount: held.amount, units, tokenId: held.tokenId, isEnough };
}

/**
 * The first request to the faucet. A request has no key, so each one gets one attempt and its
 * answer proves nothing. Only the balance counts.
 */
async function askFaucet(live: LiveOrder, funding: Funding): Promise<'faucet' | 'external'> {
  const { wallet, token } = funding;
  return once(live, `drip ${wallet.address}`, async () => {
    if (!faucetTokens.includes(token.name)) return 'external';
    const { others, writes, bornAtMs } = live.opened.earlier;
    const isFirst = others === 'clean' && Object.keys(writes).length === 0 && !isDoubtful(live);
    return drip(live, funding, isFirst ? undefined : bornAtMs);
  });
}

/**
 * Returns whether the balance rose since the last request to the faucet. Only then does another
 * request help. Notes the balance for the next time.
 */
function hasRisen(live: LiveOrder, funding: Funding, units: bigint): boolean {
  const { done } = live.carried;
  const path = balancePath(funding);
  const before = done[path];
  if (typeof before !== 'string' || units <= BigInt(before)) return false;
  done[path] = `${units}`;
  return true;
}

function balancePath({ wallet }: Funding): string {
  return `balance before the drip ${wallet.address}`;
}

async function drip(
  live: LiveOrder,
  { wallet, token }: Funding,
  askedSinceMs: number | undefined,
): Promise<'faucet' | 'external'> {
  await passWhenResumed(live, `faucet is asked for ${token.name}`);
  // A cancellation lets a paused order through, so that it can stop.
  if (live.carried.cancelAsked) return 'external';
  const { blockchain } = live.opened;
  const { walletId, address } = wallet;
  const { runId } = workflowInfo();
  try {
    const request = { walletId, address, blockchain, token: token.name, askedSinceMs, runId };
    await writes(`faucet: ${token.name} for ${address}`).requestDrip(request);
    return 'faucet';
  } catch {
    stumbled(live, 'the faucet gave no answer or refused: waiting for funds instead');
    return 'external';
  }
}

function wanted(
  { amount, token, wallet }: Funding,
  source: FundReceipt['source'],
  held: Holding | undefined,
): string {
  const { units = 0n, amount: has = '0' } = held ?? {};
  const missing = fromBaseUnits(toBaseUnits(amount, token.decimals) - units, token.decimals);
  const what = source === 'faucet' ? 'The faucet was asked. If it gives too little, send' : 'Send';
  return (
    `${wallet.address} to hold ${amount} ${token.name}. It holds ${has}, so ${missing} is missing. ` +
    `${what} ${missing} ${token.name} to that address`
  );
}

function receipt(
  live: LiveOrder,
  funding: Funding,
  end: { amount: string; tokenId?: string; source: FundReceipt['source']; looks: number },
): FundReceipt {
  const { wallet, token } = funding;
  finished(live, `${wallet.address} holds ${end.amount} ${token.name}`);
  // The balance names the token by id, which saves looking it up when a record does so.
  const { tokenId } = end;
  if (tokenId !== undefined && !token.ids.includes(tokenId)) token.ids.push(tokenId);
  return {
    walletId: wallet.walletId,
    address: wallet.address,
    token: token.name,
    balance: end.amount,
    source: end.source,
    looks: end.looks,
  };
}
