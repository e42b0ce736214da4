import { type Abi, decodeFunctionData, encodeFunctionData, type Hex, parseAbi } from 'viem';
import { decoded } from '../../custody/abi/callData';
import { hasSharedBytes } from '../../custody/abi/sharedBytes';
import { multicallFrom } from '../../custody/batch';
import { memoContract } from '../../custody/memo';
import type { accountTypes } from '../../custody/objects/wallet';
import type { PolicyMoney } from '../file/policy';
import { policyDecimals } from '../file/policy';
import { type CallEffect, NotUnderstood, type PayingWallet } from './effects';

/** A call of a contract as the chain sees it. */
type ChainCall = {
  contract: string;
  /** The native coin that goes along, in its 18 decimals. */
  value: bigint;
  data: Hex;
};

/** Tokens that count as money. The policy names them. */
export type PolicyTokens = {
  moneyOf(address: string): PolicyMoney;
  isListed(address: string): boolean;
  decimalsOf(address: string): Promise<number>;
};

/**
 * The bytes that may stand behind the arguments of a payment in a batch. Contracts do not look
 * there, and a payout's line has its mark there. What others have sent may have any form.
 */
export type Tail = 'nothing' | 'mark' | 'anything';

type Within = { wallet: PayingWallet; tokens: PolicyTokens; tail: Tail };

const markDigits = 32;

const moneyAbi = parseAbi([
  'function transfer(address to, uint256 amount)',
  'function mintTo(address to, uint256 amount)',
]);
const batchAbi = parseAbi([
  'function executeBatch((address target, uint256 value, bytes data)[] calls)',
]);
const aggregateAbi = parseAbi([
  'function aggregate3((address target, bool allowFailure, bytes callData)[] calls)',
]);
const memoAbi = parseAbi([
  'function memo(address target, bytes data, bytes32 memoId, bytes memoData)',
]);

/** As addresses are compared here. */
const multicall = multicallFrom.toLowerCase();
const memo = memoContract.toLowerCase();
const innerCallsMax = 500;

/**
 * Judges a call by its bytes. Transfers and mints of listed tokens are money, and so is the native
 * coin. A batch is each of its calls, and a memo is the payment inside it. Everything else is a
 * call that a rule has to name. Each byte costs a fee, so none may stand there that says nothing.
 */
export async function effectsOfCall(call: ChainCall, within: Within): Promise<CallEffect[]> {
  const inner = innerCalls(call, within);
  if (inner === undefined) return effectsOfOne(call, { ...within, isAlone: true });
  if (inner.length > innerCallsMax) {
    throw new NotUnderstood(`It has ${inner.length} calls, and a batch may have ${innerCallsMax}.`);
  }
  const effects = await Promise.all(inner.map((one) => effectsOfInner(one, within)));
  return [...coin(call, within.tokens), ...effects.flat()];
}

/** True for the contract of calls that one type of account alone can make. */
export function isOfOneType(contract: string, { address }: PayingWallet): boolean {
  return [address, multicall, memo].includes(contract);
}

/** The calls of a batch. Undefined for a call that is none. */
function innerCalls(
  { contract, data }: ChainCall,
  { wallet, tail }: Within,
): ChainCall[] | undefined {
  if (contract === wallet.address) {
    const calls = callIn(batchAbi, data, unmarked(tail))?.args[0];
    if (calls === undefined) {
      throw new NotUnderstood(
        `It calls the wallet's own address with ${data.slice(0, 10)}, which may change who ` +
          'controls the wallet. Only executeBatch((address,uint256,bytes)[]) is judged.',
      );
    }
    refuseUnlessOf('SCA', wallet, 'executeBatch');
    return calls.map(({ target, value, data }) => ({ contract: lower(target), value, data }));
  }
  if (contract !== multicall) return undefined;
  const calls = callIn(aggregateAbi, data, unmarked(tail))?.args[0];
  if (calls === undefined) {
    throw new NotUnderstood(
      `It calls Multicall3From with ${data.slice(0, 10)}. ` +
        'Only aggregate3((address,bool,bytes)[]) is judged.',
    );
  }
  refuseUnlessOf('EOA', wallet, 'Multicall3From');
  return calls.map(({ target, callData }) => ({
    contract: lower(target),
    value: 0n,
    data: callData,
  }));
}

/**
 * Throws NotUnderstood for a call that moves money of the other type of account alone. From this
 * one it may succeed all the same, and move nothing of what it says.
 */
function refuseUnlessOf(
  type: (typeof accountTypes)[number],
  { accountType = 'account of unknown type' }: PayingWallet,
  what: string,
): void {
  if (accountType === type) return;
  throw new NotUnderstood(
    `It calls ${what}, which moves money of an ${type} alone, and its wallet is an ${accountType}.`,
  );
}

async function effectsOfInner(call: ChainCall, within: Within): Promise<CallEffect[]> {
  if (call.contract === within.wallet.address || call.contract === multicall) {
    throw new NotUnderstood(
      'It has a batch inside a batch, which is not judged. Make it one batch.',
    );
  }
  return effectsOfOne(call, { ...within, isAlone: false });
}

/** A call without data and without coins still runs the code that it calls. */
async function effectsOfOne(
  call: ChainCall,
  { wallet, tokens, tail, isAlone }: Within & { isAlone: boolean },
): Promise<CallEffect[]> {
  const { contract, data } = call;
  const sent = coin(call, tokens);
  if (data === '0x' && sent.length > 0) return sent;
  if (contract === memo) {
    refuseUnlessOf('EOA', wallet, 'Memo');
    return [...sent, await moneyInMemo(data, { tokens, tail })];
  }
  const money = await moneyOf(call, { tokens, tail: isAlone ? unmarked(tail) : tail });
  return [...sent, money ?? { kind: 'call', contract, data }];
}

/** The payment of a listed token. Undefined for any other call. */
async function moneyOf(
  { contract, data }: Omit<ChainCall, 'value'>,
  { tokens, tail }: Omit<Within, 'wallet'>,
): Promise<CallEffect | undefined> {
  const money = tokens.isListed(contract) ? callIn(moneyAbi, data, tail) : undefined;
  if (money === undefined) return undefined;
  const [to, units] = money.args;
  const amount = scaled(units, await tokens.decimalsOf(contract));
  return { kind: 'money', money: tokens.moneyOf(contract), amount, to: lower(to) };
}

/**
 * A memo names a payment and nothing else. A text in it would be published. As a mark does, it
 * names a line of a payout: in another call it would say that the line was paid.
 */
async function moneyInMemo(
  data: Hex,
  { tokens, tail }: Omit<Within, 'wallet'>,
): Promise<CallEffect> {
  const within = { tokens, tail: unmarked(tail) };
  const [target, inner, , text] = callIn(memoAbi, data, within.tail)?.args ?? [];
  const money =
    target !== undefined && inner !== undefined && text === '0x'
      ? await moneyOf({ contract: lower(target), data: inner }, within)
      : undefined;
  if (money !== undefined && tail !== 'nothing') return money;
  if (money !== undefined) {
    throw new NotUnderstood('It calls Memo, and only the batch of a payout names its lines by it.');
  }
  throw new NotUnderstood(
    'It calls Memo with something else than the payment of a listed token, or with a text.',
  );
}

function coin({ contract, value }: ChainCall, tokens: PolicyTokens): CallEffect[] {
  if (value === 0n) return [];
  return [{ kind: 'money', money: tokens.moneyOf(''), amount: value, to: contract }];
}

type KnownAbi = typeof moneyAbi | typeof batchAbi | typeof aggregateAbi | typeof memoAbi;

/**
 * The function and the arguments in call data. Undefined when the data is of no such function.
 * Throws NotUnderstood for data that is not in the one form that an encoder makes of them.
 */
function callIn<const Known extends KnownAbi>(abi: Known, data: Hex, tail: Tail) {
  if (hasSharedBytes(abi, data)) {
    throw new NotUnderstood(
      `The arguments of its call ${data.slice(0, 10)} are cut off, or share bytes with each other.`,
    );
  }
  const call = decoded(() => decodeFunctionData({ abi, data }));
  if (call === undefined || tail === 'anything') return call;
  const rest = restBehind(abi, data);
  if (rest === '' || (tail === 'mark' && rest?.length === markDigits)) return call;
  const what =
    rest === undefined
      ? 'encodes its arguments in another form than the usual one'
      : `has ${rest.length / 2} bytes behind its arguments`;
  throw new NotUnderstood(
    `Its call ${data.slice(0, 10)} ${what}. They would cost a fee, and nobody could tell what ` +
      'they are for.',
  );
}

/** The digits behind the arguments. Undefined for arguments in another form than an encoder's. */
export function restBehind(abi: Abi, data: Hex): string | undefined {
  return decoded(() => {
    const usual = encodeFunctionData({ abi, ...decodeFunctionData({ abi, data }) });
    const given = data.toLowerCase();
    return given.startsWith(usual.toLowerCase()) ? given.slice(usual.length) : undefined;
  });
}

/** Only a payment in a batch has a mark. */
function unmarked(tail: Tail): Tail {
  return tail === 'mark' ? 'nothing' : tail;
}

/** Base units in the decimals of a policy, rounded up. */
export function scaled(units: bigint, decimals: number): bigint {
  if (decimals <= policyDecimals) return units * 10n ** BigInt(policyDecimals - decimals);
  const per = 10n ** BigInt(decimals - policyDecimals);
  return (units + per - 1n) / per;
}

function lower(address: string): string {
  return address.toLowerCase();
}
