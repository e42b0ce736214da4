import { ApplicationFailure, workflowInfo } from '@temporalio/workflow';
import type { ResolvedToken } from '../../activities/resolve';
import { toBaseUnits } from '../../src/custody/amount';
import type { FeeLevel } from '../../src/custody/transaction';
import type { WalletReference } from '../../src/orders/fields';
import type { FundReceipt } from '../../src/orders/fund';
import { stopWhenAsked } from '../cancel';
import { writes } from '../custody';
import { settleDelayMs } from '../delays';
import { passWhenResumed } from '../pauseOrder';
import { read } from '../read';
import { isDoubtful, type Run } from '../run';
import { finished, show, stumbled } from '../show';
import { continueWhenLong, pause } from '../wait';
import { isFirst, once } from '../write';
import { hasBeenSent, transfer } from './transfer';

export type Funding = {
  wallet: { walletId: string; address: string };
  token: ResolvedToken;
  /** What the wallet must hold at least. */
  amount: string;
  source: 'faucet' | 'external' | WalletReference;
  feeLevel: FeeLevel;
  /** The write that made the wallet, where this order has: a new one holds nothing yet. */
  after?: string | undefined;
  /** Whether what the money is for was sent already: then nothing more is waited for. */
  isSpent?: () => Promise<boolean>;
};

type Holding = { amount: string; tokenId: string; isEnough: boolean };

/** Tokens that the test network's faucet drips. */
const dripped: readonly string[] = ['USDC', 'EURC', 'native'];

/** How many looks at the balance go by until it is asked whether the money was spent already. */
const looksUntilSpent = 5;

/**
 * Sees to it that a wallet holds at least an amount: by the faucet, by a treasury wallet, or by
 * asking anyone to send it and waiting. A faucet that gives nothing falls back to waiting. Returns
 * undefined when it was given up: the order is to be cancelled, or the money was spent already.
 */
export async function fund(run: Run, funding: Funding): Promise<FundReceipt | undefined> {
  // Once: what was funded may have been sent on by the time the order continues as new.
  return once(run, `funded ${funding.wallet.address}`, () => untilFunded(run, funding));
}

async function untilFunded(run: Run, funding: Funding): Promise<FundReceipt | undefined> {
  const { source: wish } = funding;
  if (typeof wish === 'object') return fromTreasury(run, funding);
  const held = isNew(run, funding) ? undefined : await holding(run, funding);
  if (held?.isEnough) return receipt(run, funding, { ...held, source: 'none', looks: 1 });
  if (isGivenUp(run)) return undefined;
  const source = wish === 'external' ? wish : await askFaucet(run, funding);
  for (let looks = 1; ; looks++) {
    const balance = await holding(run, funding);
    if (balance?.isEnough) return receipt(run, funding, { ...balance, source, looks });
    if (isGivenUp(run)) return undefined;
    if (looks % looksUntilSpent === 0 && (await funding.isSpent?.())) return undefined;
    show(run, 'Waiting', wanted(funding, source));
    await pause(run, settleDelayMs(looks), `until ${funding.wallet.address} is funded`);
    await continueWhenLong(run);
  }
}

/** A wallet that this very run has made holds nothing, and need not be asked. */
function isNew(run: Run, { after }: Funding): boolean {
  return after !== undefined && isFirst(run, after);
}

/** Whether the order is to be cancelled; stops it at once where nothing can be under way. */
function isGivenUp(run: Run): boolean {
  stopWhenAsked(run);
  return run.carried.cancelAsked;
}

/** Once its transfer has settled the money has come, even if it has been spent since. */
async function fromTreasury(run: Run, funding: Funding): Promise<FundReceipt> {
  const { treasury } = run.opened;
  if (treasury === undefined) {
    throw ApplicationFailure.nonRetryable('The treasury wallet was not resolved.', 'Refused');
  }
  const { wallet, token, amount, feeLevel, after } = funding;
  const way = { from: treasury, to: wallet.address };
  const sent = { step: 'fund', ...way, token, amount, feeLevel, after };
  if (!(await hasBeenSent(run, sent))) {
    const held = isNew(run, funding) ? undefined : await holding(run, funding);
    if (held?.isEnough) return receipt(run, funding, { ...held, source: 'none', looks: 1 });
  }
  let arrived: Arrival = { amount: '0', looks: 0 };
  // It has settled: nothing that the balance meets may end the order otherwise.
  const afterwards = async (): Promise<void> => {
    arrived = await untilShown(run, funding);
  };
  await transfer(run, { ...sent, afterwards });
  return receipt(run, funding, { ...arrived, source: 'treasury' });
}

/** What a wallet is shown to hold, and at which look. */
type Arrival = { amount: string; tokenId?: string; looks: number };

/** The balance once it shows what was sent, or as it is: it may have been spent since. */
async function untilShown(run: Run, funding: Funding): Promise<Arrival> {
  for (let looks = 1; ; looks++) {
    const held = await holding(run, funding);
    if (held?.isEnough || looks === looksUntilSpent) return { amount: '0', ...held, looks };
    const { address } = funding.wallet;
    await pause(run, settleDelayMs(looks), `until the service shows it at ${address}`);
  }
}

/** What the wallet holds, and whether that is enough. */
async function holding(run: Run, funding: Funding): Promise<Holding | undefined> {
  const { wallet, token, amount } = funding;
  const { nativeTwins } = run.opened;
  const held = await read(run, `balance of ${wallet.address}`, (from) =>
    from.readBalance({ walletId: wallet.walletId, token, nativeTwins }),
  );
  if (held === undefined) return undefined;
  const isEnough = BigInt(held.baseUnits) >= toBaseUnits(amount, token.decimals);
  return { amount: held.amount, tokenId: held.tokenId, isEnough };
}

/** The faucet takes no key, so it is asked once in the life of an order, and never believed. */
async function askFaucet(run: Run, funding: Funding): Promise<'faucet' | 'external'> {
  const { wallet, token } = funding;
  const { blockchain } = run.opened;
  return once(run, `drip ${wallet.address}`, async () => {
    if (!dripped.includes(token.name)) return 'external';
    await passWhenResumed(run, `faucet is asked for ${token.name}`);
    // A cancellation lets a paused order through, to be stopped.
    if (run.carried.cancelAsked) return 'external';
    const isKnown = !isDoubtful(run) && isFirst(run, funding.after ?? '');
    try {
      const drip = {
        ...{ walletId: wallet.walletId, address: wallet.address, blockchain, token: token.name },
        askedSinceMs: isKnown ? undefined : run.opened.earlier.bornAtMs,
        runId: workflowInfo().runId,
      };
      await writes(`faucet: ${token.name} for ${wallet.address}`).requestDrip(drip);
      return 'faucet';
    } catch {
      stumbled(run, 'the faucet gave no answer or refused: waiting for funds instead');
      return 'external';
    }
  });
}

function wanted(funding: Funding, source: FundReceipt['source']): string {
  const { amount, token, wallet } = funding;
  const hold = `${wallet.address} to hold ${amount} ${token.name}`;
  return source === 'external' ? `${hold}. Send it to that address` : `${hold}, from the ${source}`;
}

function receipt(
  run: Run,
  funding: Funding,
  end: { amount: string; tokenId?: string; source: FundReceipt['source']; looks: number },
): FundReceipt {
  const { wallet, token } = funding;
  finished(run, `${wallet.address} holds ${end.amount} ${token.name}`);
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
