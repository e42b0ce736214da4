import { attemptMark, batchIn } from '../../custody/batch';
import type { CustodyApi } from '../../custody/endpoints';
import { orAbsent } from '../../custody/errors';
import { networks } from '../../custody/networks/networks';
import { type Transaction, unreadableState } from '../../custody/objects/transaction';
import { readBatches } from '../../custody/reference';
import { effectsOfCall, isOfOneType } from '../call/callEffects';
import { callDataOf } from '../call/classify';
import { type CallEffect, NotUnderstood, type PayingWallet } from '../call/effects';
import type { Policy, PolicyMoney } from '../file/policy';
import { limitsNaming, sumsOf } from '../judge';
import type { Knowledge } from '../knowledge';
import { anyWallet, feeMoney, type Outside, type Sighting, unreadMoney } from '../ledger/ledger';
import { anyLine, anyPayout, type MarkedLines } from '../ledger/lines';
import { amountEnd } from '../ledger/tables';
import { paymentsOf } from '../payees/payingWrite';
import { chargesOf, isOverHours, scopesOf } from '../reservation';
import { unitsIn } from './records';

type Facts = Knowledge & { policy: Policy; blockchain: string };

/**
 * Reads what records of other people's payments charge, and to which sums. A record that does not
 * tell its amount closes the windows of its wallet.
 */
export function readingOutside(
  custody: Pick<CustodyApi, 'getToken'>,
  facts: Facts,
): (sighting: Sighting & { record: Transaction }) => Promise<Outside> {
  const moneyOfToken = tokenMoneys(custody, facts);
  return async ({ record, ...seen }) => {
    // A word without effect proves nothing yet, so it may still move.
    const sighting = { ...seen, state: seen.state === 'claimed' ? 'moving' : seen.state };
    const endMs = sighting.state === 'moving' ? undefined : Date.parse(record.updateDate);
    const found = { ...sighting, endMs, lines: linesIn(record) };
    // The same address may be a wallet of another chain. What cannot be read may be of this one.
    const isUnreadable = record.state === unreadableState;
    if (!isUnreadable && record.blockchain !== facts.blockchain) return { ...found, charges: [] };
    const wallet = await walletOf(record, facts);
    const isTold = wallet !== undefined && !isUnreadable;
    const effects = isTold
      ? await effectsOf(record, wallet, { ...facts, moneyOfToken })
      : undefined;
    const sums = effects && sumsOf(effects);
    const isRead = sums !== undefined && [...sums.values()].every((sum) => sum < amountEnd);
    const hadEffect = sighting.state !== 'void';
    const isUnread = hadEffect && !isRead;
    const state = isUnread && sighting.state === 'moving' ? 'unread' : sighting.state;
    const all = new Map(isRead && hadEffect ? sums : []);
    if (isUnread) all.set(unreadMoney, 0n);
    const fee = unitsIn(record.networkFee) ?? unitsIn(record.estimatedFee?.networkFee);
    if (fee !== undefined) all.set(feeMoney, fee);
    // Every wallet may be the one of a record that cannot be read and names none.
    const isOfAny = isUnread && wallet === undefined;
    const named = isUnread ? undefined : (effects ?? []);
    const payments = isRead && hadEffect ? paymentsOf(effects ?? []) : [];
    const scopes = isOfAny ? [anyWallet] : scopesIn(facts.policy, wallet, named);
    return { ...found, state, charges: chargesOf(all, scopes), payments };
  };
}

/**
 * The lines that a batch pays. They are of the payout in its reference. A batch that cannot be read
 * may pay all lines of that payout. Without such a reference, they may be lines of any payout.
 */
function linesIn(record: Transaction): MarkedLines | undefined {
  const batch = batchIn(record);
  const payout = readBatches(record.refId);
  if (batch === undefined) return payout === undefined ? undefined : { payout, marks: [anyLine] };
  const marks = batch.payments.map(({ mark }) => attemptMark(mark));
  return { payout: payout ?? anyPayout, marks };
}

/** The sums that the policy would have counted a payment in, had it been asked. */
function scopesIn(
  policy: Policy,
  wallet: PayingWallet | undefined,
  effects: readonly CallEffect[] | undefined,
) {
  const limits = wallet === undefined ? [] : limitsNaming(policy, wallet, effects);
  return scopesOf(wallet, limits, limits.length === 0 ? [] : policy.approvals.filter(isOverHours));
}

/** The wallet that pays, by both of its names. Undefined if the account has no such wallet. */
async function walletOf(
  { walletId, sourceAddress }: Transaction,
  { book }: Facts,
): Promise<PayingWallet | undefined> {
  if (walletId && sourceAddress) {
    return { id: walletId.toLowerCase(), address: sourceAddress.toLowerCase() };
  }
  return unlessRefused(async () => {
    if (walletId) return book.byId(walletId);
    return sourceAddress ? book.byAddress(sourceAddress) : undefined;
  });
}

/** All that a record has moved out of its wallet. Undefined if it does not tell. */
async function effectsOf(
  record: Transaction,
  wallet: PayingWallet,
  facts: Facts & { moneyOfToken: TokenMoney },
): Promise<CallEffect[] | undefined> {
  if (record.transactionType !== 'OUTBOUND') return undefined;
  if (record.operation === 'CONTRACT_DEPLOYMENT') return [];
  const effects =
    record.operation === 'TRANSFER'
      ? await effectsOfTransfer(record, facts.moneyOfToken)
      : await effectsOfExecution(record, wallet, facts);
  // A wallet that pays itself has paid the fee.
  return effects?.filter((effect) => effect.kind !== 'money' || effect.to !== wallet.address);
}

async function effectsOfTransfer(
  { amounts, tokenId, destinationAddress }: Transaction,
  moneyOfToken: TokenMoney,
): Promise<CallEffect[] | undefined> {
  const amount = sumOf(amounts);
  const money = tokenId ? await moneyOfToken(tokenId) : undefined;
  if (!destinationAddress || !amounts?.length || amount === undefined || money === undefined) {
    return undefined;
  }
  return [{ kind: 'money', money, amount, to: destinationAddress.toLowerCase() }];
}

/**
 * A call counts as money if it does nothing but transfer or mint listed tokens. Any other one may
 * have moved more than its record shows.
 */
async function effectsOfExecution(
  record: Transaction,
  wallet: PayingWallet,
  { book, tokens }: Facts,
): Promise<CallEffect[] | undefined> {
  const { operation, contractAddress, abiFunctionSignature, abiParameters, amounts } = record;
  const value = sumOf(amounts);
  if (operation !== 'CONTRACT_EXECUTION' || !contractAddress || !abiFunctionSignature) {
    return undefined;
  }
  if (!abiParameters || value === undefined) return undefined;
  const effects = await unlessRefused(async () => {
    const data = callDataOf({ abiFunctionSignature, abiParameters });
    const contract = contractAddress.toLowerCase();
    const payer = isOfOneType(contract, wallet) ? await book.byId(wallet.id) : wallet;
    return effectsOfCall({ contract, value, data }, { wallet: payer, tokens, tail: 'anything' });
  });
  return effects?.every(({ kind }) => kind === 'money') ? effects : undefined;
}

/** The sum of amounts in the decimals of a policy. Undefined if one of them is none. */
function sumOf(amounts: Transaction['amounts']): bigint | undefined {
  return (amounts ?? []).reduce<bigint | undefined>((sum, text) => {
    const units = unitsIn(text);
    return sum === undefined || units === undefined ? undefined : sum + units;
  }, 0n);
}

type TokenMoney = (tokenId: string) => Promise<PolicyMoney | undefined>;

/** The money of a token by the service's id. Each token is read once. */
function tokenMoneys(
  custody: Pick<CustodyApi, 'getToken'>,
  { blockchain, moneys }: Facts,
): TokenMoney {
  const known = new Map<string, PolicyMoney>();
  for (const { id, address } of networks[blockchain]?.tokens ?? []) {
    if (id !== undefined) known.set(id, moneys.moneyOf(address));
  }
  return async (tokenId) => {
    const found = known.get(tokenId);
    if (found !== undefined) return found;
    const answer = await custody.getToken({ id: tokenId }).catch(orAbsent);
    if (answer === undefined || answer.token.blockchain !== blockchain) return undefined;
    const { isNative, tokenAddress } = answer.token;
    const address = isNative ? '' : tokenAddress;
    if (address === undefined) return undefined;
    const money = moneys.moneyOf(address);
    known.set(tokenId, money);
    return money;
  };
}

/** The answer to a question. Undefined if there is none, as for a name that nobody has. */
async function unlessRefused<T>(ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask();
  } catch (error) {
    return error instanceof NotUnderstood ? undefined : orAbsent(error);
  }
}
