import { ApplicationFailure, workflowInfo } from '@temporalio/workflow';
import type { Activities } from '../../activities';
import { fromBaseUnits, toBaseUnits } from '../../src/custody/objects/amount';
import { faucetTokens } from '../../src/custody/objects/faucet';
import type { FeeLevel } from '../../src/custody/objects/transaction';
import type { FundReceipt } from '../../src/orders/fund';
import type { WalletReference } from '../../src/orders/input/fields';
import type { ResolvedToken } from '../../src/orders/kind';
import { sends, stopOf } from '../order/activities';
import { stopWhenAsked } from '../order/cancel';
import type { LiveOrder } from '../order/liveOrder';
import { passWhenResumed } from '../order/pauseOrder';
import { read, readAfterwards } from '../order/read';
import { noteDone, noteFault, show } from '../order/show';
import { continueWhenLong, waitOrWake } from '../order/wait';
import { operatorDelayMs, settleDelayMs, troubleDelayMs } from '../write/machine/delays';
import { once } from '../write/once';
import { wasReset } from '../write/reset';
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

/** The transfer from the treasury. */
type Sent = Parameters<typeof hasBeenSent>[1];

type Holding = { amount: string; units: bigint; isEnough: boolean };

/** After so many reads of the balance, the order checks whether the money was spent already. */
const pollsUntilSpent = 5;

/**
 * Funds a wallet to at least an amount: from the faucet, from a treasury wallet, or by asking
 * anyone to send it. If the faucet gives nothing, the order waits for anyone. Returns undefined if
 * the order is to be cancelled, or if the money was spent already.
 */
export async function fund(live: LiveOrder, funding: Funding): Promise<FundReceipt | undefined> {
  // Once: the money may be spent by the time the order continues as new.
  return once(live, `funded ${funding.wallet.address}`, () =>
    typeof funding.source === 'object' ? fromTreasury(live, funding) : untilFunded(live, funding),
  );
}

async function untilFunded(live: LiveOrder, funding: Funding): Promise<FundReceipt | undefined> {
  const { address } = funding.wallet;
  // A continued run gets this very object again, with what is changed in it below.
  const faucet = await once<Faucet>(live, `faucet ${address}`, async () => {
    const helps = funding.source === 'faucet' && faucetTokens.includes(funding.token.name);
    return { source: helps ? 'faucet' : 'external', polls: 0 };
  });
  let waits = 0;
  for (;;) {
    const held = await holding(live, funding);
    const { polls, source } = faucet;
    if (held.isEnough) {
      const end = polls === 0 ? { source: 'none' as const, polls: 1 } : { source, polls };
      return receipt(live, funding, { ...held, ...end });
    }
    faucet.polls += 1;
    tellGiven(live, funding, { held, faucet });
    stopWhenAsked(live);
    if (live.carried.cancelAsked) return undefined;
    // Another request helps only if the last one did.
    if (faucet.source === 'faucet' && held.units > BigInt(faucet.units ?? -1)) {
      show(live, 'Preparing', asking(funding, held));
      await drip(live, funding, { faucet, units: held.units });
      waits = 0;
    } else {
      waits += 1;
      if (waits % pollsUntilSpent === 0 && (await funding.isSpent?.())) return undefined;
      show(live, 'Waiting', wanted(funding, faucet.source, held));
      await waitOrWake(live, waitMs(waits), `until ${address} is funded`);
    }
    await continueWhenLong(live);
  }
}

/** A cancelled order has moved what the faucet gave by then, and says so. */
function tellGiven(
  live: LiveOrder,
  { wallet, token }: Funding,
  { held, faucet }: { held: Holding; faucet: Faucet },
): void {
  if (!live.carried.cancelAsked || faucet.units === undefined) return;
  const { address } = wallet;
  noteDone(live, `${address} holds ${held.amount} ${token.name}, and keeps what the faucet gave`);
}

function asking({ amount, token, wallet }: Funding, held: Holding): string {
  return (
    `the faucet, which is asked until ${wallet.address} holds ${amount} ${token.name}. ` +
    `It has ${held.amount} so far`
  );
}

/** Quick while a drip or a transfer is usually on its way, then ever slower: people take longer. */
function waitMs(poll: number): number {
  if (poll <= pollsUntilSpent) return settleDelayMs(poll);
  return operatorDelayMs(poll - pollsUntilSpent);
}

/** Once its transfer has settled the money has come, even if it was spent since. */
async function fromTreasury(live: LiveOrder, funding: Funding): Promise<FundReceipt> {
  const { treasury } = live.opened;
  if (treasury === undefined) {
    throw ApplicationFailure.nonRetryable('The treasury wallet was not resolved.', 'Refused');
  }
  const { wallet, token, amount, feeLevel } = funding;
  const sent = { step: 'fund', from: treasury, to: wallet.address, token, amount, feeLevel };
  if (!(await hasBeenSent(live, sent))) {
    const held = await holding(live, funding);
    // It may hold the money because this order has sent it before, though the list shows that late.
    if (held.isEnough && !(await wasSentAfterAll(live, sent)))
      return receipt(live, funding, { ...held, source: 'none', polls: 1 });
  }
  let arrived: Arrival = { amount: '0', polls: 0 };
  // The transfer has settled, so no fault of the balance may change the order's end.
  const afterwards = async (): Promise<void> => {
    arrived = await untilShown(live, funding);
  };
  await transfer(live, { ...sent, afterwards });
  return receipt(live, funding, { ...arrived, source: 'treasury' });
}

/**
 * Looks the transfer up again. If an earlier run may have sent it, the look-ups go on over the
 * whole grace period.
 */
async function wasSentAfterAll(live: LiveOrder, sent: Sent): Promise<boolean> {
  const { step, to } = sent;
  const { tries } = live.writes.stateOf({ step, item: '1' });
  const endMs = Date.now() + (tries === 'clean' ? 0 : live.opened.lookupGraceMs);
  for (let times = 1; ; times++) {
    if (await hasBeenSent(live, sent, { isFresh: true })) return true;
    const leftMs = endMs - Date.now();
    if (leftMs <= 0) return false;
    show(live, 'Preparing', `a trace of the transfer to ${to}, which may have been sent before`);
    await waitOrWake(live, Math.min(troubleDelayMs(times), leftMs), 'look for the transfer again');
  }
}

/** A wallet's balance, and the number of the read that showed it. */
type Arrival = { amount: string; polls: number };

/**
 * The balance once it shows the money, or as it is. The money may be spent since. Without any
 * answer it is the amount that has come.
 */
async function untilShown(live: LiveOrder, funding: Funding): Promise<Arrival> {
  const { wallet, amount: sent } = funding;
  const { last, polls } = await readAfterwards(live, {
    summary: `balance of ${wallet.address}`,
    call: (from) => holdingIn(live, funding, from),
    isShown: ({ isEnough }) => isEnough,
    wait: `until the service shows it at ${wallet.address}`,
  });
  return { amount: last?.amount ?? sent, polls };
}

async function holding(live: LiveOrder, funding: Funding): Promise<Holding> {
  const summary = `balance of ${funding.wallet.address}`;
  return read(live, summary, (from) => holdingIn(live, funding, from));
}

/** The wallet's balance, and whether it is enough. */
async function holdingIn(
  { opened: { blockchain } }: LiveOrder,
  { wallet, token, amount }: Funding,
  from: Activities,
): Promise<Holding> {
  const held = await from.readBalance({ walletId: wallet.walletId, token, blockchain });
  // The balance names the token by id, which saves looking it up when a record does so.
  if (held !== undefined && !token.ids.includes(held.tokenId)) token.ids.push(held.tokenId);
  const units = BigInt(held?.baseUnits ?? 0);
  const isEnough = units >= toBaseUnits(amount, token.decimals);
  return { amount: held?.amount ?? '0', units, isEnough };
}

/** The source that helps, how often the balance was read, and its units at the last request. */
type Faucet = { source: 'faucet' | 'external'; polls: number; units?: string };

/**
 * Asks the faucet. A request has no key, so each one gets one attempt and its answer proves
 * nothing. Only the balance counts.
 */
async function drip(
  live: LiveOrder,
  { wallet, token }: Funding,
  { faucet, units }: { faucet: Faucet; units: bigint },
): Promise<void> {
  const isFirst = faucet.units === undefined;
  faucet.units = `${units}`;
  await passWhenResumed(live, `faucet is asked for ${token.name}`);
  // A cancellation lets a paused order through, so that it can stop.
  if (live.carried.cancelAsked) return;
  const { blockchain, earlier } = live.opened;
  const { others, writes: known, bornAtMs } = earlier;
  const isNew = others === 'clean' && Object.keys(known).length === 0 && !wasReset(live);
  const { walletId, address } = wallet;
  const { runId } = workflowInfo();
  const askedSinceMs = isFirst && !isNew ? bornAtMs : undefined;
  try {
    const request = { walletId, address, blockchain, token: token.name, askedSinceMs, runId };
    await sends(`faucet: ${token.name} for ${address}`).requestDrip(request);
  } catch (error) {
    const stop = stopOf(error);
    // A faucet may answer 403 to a key that is good for all else.
    const reason = stop?.type === 'Refused' ? `: ${stop.message}` : '';
    noteFault(live, `the faucet gives nothing, so the order waits for funds${reason}`);
    faucet.source = 'external';
  }
}

function wanted(
  { amount, token, wallet }: Funding,
  source: FundReceipt['source'],
  held: Holding,
): string {
  const missing = fromBaseUnits(toBaseUnits(amount, token.decimals) - held.units, token.decimals);
  const what = source === 'faucet' ? 'The faucet was asked. If it gives too little, send' : 'Send';
  return (
    `${wallet.address} to hold ${amount} ${token.name}. It holds ${held.amount}, so ${missing} is ` +
    `missing. ${what} ${missing} ${token.name} to that address`
  );
}

function receipt(
  live: LiveOrder,
  { wallet, token }: Funding,
  { amount: balance, source, polls }: Arrival & Pick<FundReceipt, 'source'>,
): FundReceipt {
  const { walletId, address } = wallet;
  noteDone(live, `${address} holds ${balance} ${token.name}`);
  return { walletId, address, token: token.name, balance, source, polls };
}
