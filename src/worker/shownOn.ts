import { type ReceiptQuestion, receiptActivities } from '../../activities/chain/receipt';
import { hurried } from '../chain/readChain';
import { batchIn, isAtomic } from '../custody/batch';
import type { CustodyApi } from '../custody/endpoints';
import { coinDecimals, toBaseUnits } from '../custody/objects/amount';
import { type ChainShows, shownBy } from '../custody/objects/finalWord';
import { finalState } from '../custody/objects/state';
import type { OrderedCall } from '../writer/call/ordered';
import type { UnpaidIn } from '../writer/failedAlone';
import type { Ledger } from '../writer/ledger/ledger';
import type { AsksChain } from '../writer/list/prove';

type Place = {
  custody: Pick<CustodyApi, 'listTransactions'>;
  ledger: Pick<Ledger, 'isCounted'>;
  blockchain: string;
};

/** A writer decides within an activity of 12 s. */
const giveUpMs = 8_000;

/** Views in the order in which they count. A view that may still cost money comes first. */
const views: readonly ChainShows[] = ['effect', 'open', 'dead', 'other', 'nothing'];

/**
 * Looks on the chain for a call that a writer has ordered, among all that its account has done. The
 * service says what kind of account it is, so both kinds are looked for. A payment there is that of
 * another record only where the ledger counts that record. The order of somebody else's
 * payment is unknown. So the transaction that its record names counts, whatever it does.
 */
export function shownOn(chainRpcUrl: string, { custody, ledger, blockchain }: Place): AsksChain {
  const { listTransactions } = custody;
  const { isCounted } = ledger;
  const { checkReceipt } = receiptActivities(chainRpcUrl, {
    custody: { listTransactions, isCounted },
  });
  return async ({ record, call, sinceMs, heardMs }) => {
    const { id, walletId, createDate, sourceAddress, txHash, userOpHash } = record;
    const named = { txHash, ...(userOpHash ? { userOpHash } : {}) };
    const sender = call?.sender ?? sourceAddress ?? '';
    const since = sinceMs === undefined ? createDate : new Date(sinceMs).toISOString();
    const isCancelled = finalState(record.state) === 'CANCELLED';
    const asked = [false, true].map(
      (isSmart) => () =>
        checkReceipt({
          ...named,
          sender,
          effect: call === undefined ? anyCall(sender) : effectOf(call, { blockchain, isSmart }),
          search: call && { id, walletId, isSmart, since, knownAt: since, heardMs, isCancelled },
        }),
    );
    const answers = await hurried(giveUpMs, () => Promise.all(asked.map((ask) => ask())));
    const shown = answers.map((answer) => shownBy(answer, record));
    const shows = views.find((view) => shown.includes(view)) ?? 'nothing';
    const headAgeMs = Math.max(...answers.map((answer) => answer.headAgeMs ?? 0));
    return { shows, headAgeMs };
  };
}

type Kind = { blockchain: string; isSmart: boolean };
type Effect = ReceiptQuestion['effect'];

/** The effect that the chain must show of a call. */
function effectOf({ sender: from, does }: OrderedCall, { blockchain, isSmart }: Kind): Effect {
  if (does.kind === 'deployment') return { kind: 'deployment', from };
  if (does.kind === 'transfer') return { ...does, from, blockchain };
  const batch = batchIn(does);
  if (batch !== undefined) {
    const { tokenAddress, payments } = batch;
    const account = { accountType: isSmart ? 'SCA' : 'EOA' };
    const whole = isAtomic(account, payments);
    return { kind: 'batch', from, tokenAddress, payments, isWhole: whole, isSmart };
  }
  // The calls inside are all that the chain shows of it.
  if (does.contractAddress.toLowerCase() === from.toLowerCase()) return anyCall(from);
  return { kind: 'call', from, baseUnits: `${toBaseUnits(does.amount, coinDecimals)}`, of: does };
}

function anyCall(from: string): Effect {
  return { kind: 'call', from };
}

/**
 * Reads on the chain which payments of a settled batch have failed alone. Returns none if
 * the receipt is not proven, or shows another call.
 */
export function unpaidOn(chainRpcUrl: string): UnpaidIn {
  const { checkReceipt } = receiptActivities(chainRpcUrl);
  return async ({ txHash, from, tokenAddress, payments }) => {
    const effect = { kind: 'batch', from, tokenAddress, payments, isWhole: false } as const;
    const {
      found,
      faults,
      unpaid = [],
    } = await hurried(giveUpMs, () => checkReceipt({ txHash, sender: from, effect }));
    return found === 'success' && faults.length === 0 ? unpaid.map(({ at }) => at) : [];
  };
}
