import { ApplicationFailure } from '@temporalio/workflow';
import type { ResolvedToken } from '../../activities/resolve';
import { toBaseUnits } from '../../src/custody/amount';
import type { FeeLevel } from '../../src/custody/transaction';
import type { WalletReference } from '../../src/orders/fields';
import type { FundReceipt } from '../../src/orders/fund';
import { stopWhenAsked } from '../cancel';
import { singleTry } from '../custody';
import { settleDelayMs } from '../delays';
import { read } from '../read';
import type { Run } from '../run';
import { finished, show } from '../show';
import { continueWhenLong, pause } from '../wait';
import { once } from '../write';
import { transfer } from './transfer';

export type Funding = {
  wallet: { walletId: string; address: string };
  token: ResolvedToken;
  /** What the wallet must hold at least. */
  amount: string;
  source: 'faucet' | 'external' | WalletReference;
  feeLevel: FeeLevel;
  /** A wallet created by this very run holds nothing, and need not be asked. */
  isNew?: boolean;
};

type Enough = { balance: string; tokenId: string };

/** Tokens that the test network's faucet drips. */
const dripped: readonly string[] = ['USDC', 'EURC', 'native'];

/**
 * Sees to it that a wallet holds at least an amount: by the faucet, by a treasury wallet, or by
 * asking anyone to send it and waiting. A faucet that gives nothing falls back to waiting.
 */
export async function fund(run: Run, funding: Funding): Promise<FundReceipt> {
  // Once: what was funded may have been sent on by the time the order continues as new.
  return once(run, `funded ${funding.wallet.address}`, () => untilFunded(run, funding));
}

async function untilFunded(run: Run, funding: Funding): Promise<FundReceipt> {
  const held = funding.isNew === true ? undefined : await enough(run, funding);
  if (held !== undefined) return receipt(run, funding, { ...held, source: 'none', looks: 1 });
  const source = await ask(run, funding);
  for (let looks = 1; ; looks++) {
    const balance = await enough(run, funding);
    if (balance !== undefined) return receipt(run, funding, { ...balance, source, looks });
    stopWhenAsked(run);
    show(run, 'Waiting', wanted(funding, source));
    await pause(run, settleDelayMs(looks), `until ${funding.wallet.address} is funded`);
    await continueWhenLong(run);
  }
}

/** The balance when it is enough, with the service's id of the token. */
async function enough(run: Run, funding: Funding): Promise<Enough | undefined> {
  const { wallet, token, amount } = funding;
  const { nativeTwins } = run.opened;
  const held = await read(run, `balance of ${wallet.address}`, (from) =>
    from.readBalance({ walletId: wallet.walletId, token, nativeTwins }),
  );
  if (held === undefined || BigInt(held.baseUnits) < toBaseUnits(amount, token.decimals)) {
    return undefined;
  }
  return { balance: held.amount, tokenId: held.tokenId };
}

async function ask(run: Run, funding: Funding): Promise<FundReceipt['source']> {
  const { source, token, wallet } = funding;
  if (source === 'external') return 'external';
  if (source === 'faucet') return askFaucet(run, funding);
  const { treasury } = run.opened;
  if (treasury === undefined) {
    throw ApplicationFailure.nonRetryable('The treasury wallet was not resolved.', 'Refused');
  }
  const { amount, feeLevel } = funding;
  await transfer(run, {
    step: 'fund',
    from: treasury,
    to: wallet.address,
    token,
    amount,
    feeLevel,
  });
  return 'treasury';
}

/** The faucet takes no key, so it is asked once in the life of an order, and never believed. */
async function askFaucet(run: Run, funding: Funding): Promise<'faucet' | 'external'> {
  const { wallet, token } = funding;
  const { blockchain } = run.opened;
  return once(run, `drip ${wallet.address}`, async () => {
    if (!dripped.includes(token.name)) return 'external';
    try {
      const drip = { address: wallet.address, blockchain, token: token.name };
      await singleTry(`faucet: ${token.name} for ${wallet.address}`).requestDrip(drip);
      return 'faucet';
    } catch {
      finished(run, 'the faucet gave no answer or refused: waiting for funds instead');
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
  end: Enough & { source: FundReceipt['source']; looks: number },
): FundReceipt {
  const { wallet, token } = funding;
  finished(run, `${wallet.address} holds ${end.balance} ${token.name}`);
  // The balance names the token by id, which saves looking it up when a record does so.
  if (!token.ids.includes(end.tokenId)) token.ids.push(end.tokenId);
  return {
    walletId: wallet.walletId,
    address: wallet.address,
    token: token.name,
    balance: end.balance,
    source: end.source,
    looks: end.looks,
  };
}
