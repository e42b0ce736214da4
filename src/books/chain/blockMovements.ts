import type { TransactionReceipt } from 'viem';
import { bundledCalls, type Mined, type Operation, operationsOf } from '../../chain/execution';
import { coinLogger } from '../../chain/movements';
import { sameText } from '../../custody/objects/sameText';
import type { Money, Monies } from '../money';
import type { Movement, WatchedWallets } from '../movement';
import { type Marked, marksIn } from './marks';
import type { WholeBlock } from './node';
import { movesIn, type TokenMove } from './tokenLogs';

/** One movement of money between two addresses, in base units of its money. */
type Flow = {
  money: Money;
  from: string;
  to: string;
  units: bigint;
  logIndex?: number;
};

/** All that a block moves in or out of the watched wallets, in the order in which it happened. */
export function blockMovements(
  block: WholeBlock,
  watched: WatchedWallets,
  monies: Monies,
): Movement[] {
  return block.transactions.flatMap((mined) => {
    const { transaction, receipt } = mined;
    const place = {
      block: block.number,
      timeMs: block.timeMs,
      txHash: transaction.hash,
      txIndex: receipt.transactionIndex,
    };
    const operations = operationsOf(receipt);
    const opOfLog = operationsByLog(operations);
    const flows = flowsOf(mined, operations, { watched, monies });
    const marks = marksIn(mined, operations, watched);
    const moved = flows.flatMap((flow) =>
      sidesOf(flow, watched).map((side) => {
        const { logIndex } = flow;
        const userOpHash = logIndex === undefined ? undefined : opOfLog.get(logIndex);
        const mark = side.change < 0n ? markOf(flow, marks, monies) : undefined;
        return {
          ...place,
          ...side,
          ...(logIndex === undefined ? {} : { logIndex }),
          ...(userOpHash === undefined ? {} : { userOpHash }),
          ...(mark === undefined ? {} : { mark }),
        };
      }),
    );
    const fees = [...feeOf(mined, watched, monies), ...sponsoredOf(operations, watched, monies)];
    return [...moved, ...fees.map((fee) => ({ ...place, ...fee }))];
  });
}

type Side = Pick<Movement, 'wallet' | 'money' | 'kind' | 'change' | 'counterparty'>;

/** A movement between two watched wallets has two sides. */
function sidesOf({ money, from, to, units }: Flow, watched: WatchedWallets): Side[] {
  if (units === 0n || from === to) return [];
  const out: Side = { wallet: from, money, kind: 'transfer', change: -units, counterparty: to };
  const into: Side = { wallet: to, money, kind: 'transfer', change: units, counterparty: from };
  return [...(watched.has(from) ? [out] : []), ...(watched.has(to) ? [into] : [])];
}

/** The mark of a payment, each once. Payments of one batch differ in payee or amount. */
function markOf(flow: Flow, marks: Marked[], monies: Monies): string | undefined {
  const at = marks.findIndex(({ wallet, token, to, units }) => {
    if (wallet !== flow.from || to !== flow.to) return false;
    const { money, unitsEach } = monies.of(token);
    return money.name === flow.money.name && units * unitsEach === flow.units;
  });
  return at === -1 ? undefined : marks.splice(at, 1)[0]?.mark;
}

function operationsByLog(operations: readonly Operation[]): Map<number, string> {
  const all = operations.flatMap(({ userOpHash, logs }) =>
    logs.map(({ logIndex }) => [Number(logIndex), userOpHash] as const),
  );
  return new Map(all);
}

function flowsOf(
  mined: Mined,
  operations: readonly Operation[],
  { watched, monies }: { watched: WatchedWallets; monies: Monies },
): Flow[] {
  const { receipt } = mined;
  const { coin } = monies;
  const tokens: Flow[] = [];
  const twins: Flow[] = [];
  const logged: Flow[] = [];
  for (const log of receipt.logs) {
    const isCoin = sameText(log.address, coinLogger);
    for (const move of movesIn(log)) {
      if (!watched.has(move.from) && !watched.has(move.to)) continue;
      const flow = flowOf(
        move,
        isCoin ? { money: coin, unitsEach: 1n } : monies.of(move.token, move.item),
      );
      const faces = isCoin ? logged : flow.money === coin ? twins : tokens;
      faces.push(flow);
    }
  }
  const values = receipt.status === 'success' ? valuesOf(mined, operations, coin) : [];
  return [...faced(twins, logged, values), ...tokens].sort(byLog);
}

function byLog(one: Flow, other: Flow): number {
  return (one.logIndex ?? -1) - (other.logIndex ?? -1);
}

function flowOf(
  { from, to, units, logIndex }: TokenMove,
  { money, unitsEach }: { money: Money; unitsEach: bigint },
): Flow {
  return { money, from, to, units: units * unitsEach, logIndex };
}

/** Coins that the transaction and its operations hand on, as far as their input tells. */
function valuesOf(mined: Mined, operations: readonly Operation[], money: Money): Flow[] {
  const { from, to, value } = mined.transaction;
  const own = to === null ? [] : [{ money, from: lower(from), to: lower(to), units: value }];
  const inner = operations.flatMap((operation) => {
    const calls = operation.success ? (bundledCalls(mined, operation) ?? []) : [];
    const sender = lower(operation.sender);
    return calls.map((call) => ({ money, from: sender, to: lower(call.to), units: call.value }));
  });
  return [...own, ...inner].filter(({ units }) => units > 0n);
}

/**
 * A coin shows each movement up to three times: in the log of its token, in
 * the coin's own log, and in the input. A movement is as often there as its most frequent face.
 */
function faced(...faces: readonly Flow[][]): Flow[] {
  const [best = [], ...others] = faces;
  const found = [...best];
  for (const face of others) {
    const left = [...found];
    for (const flow of face) {
      const at = left.findIndex(
        ({ from, to, units }) => from === flow.from && to === flow.to && units === flow.units,
      );
      if (at === -1) found.push(flow);
      else left.splice(at, 1);
    }
  }
  return found;
}

type Fee = Pick<
  Movement,
  'wallet' | 'money' | 'kind' | 'change' | 'counterparty' | 'isFailed' | 'sponsored' | 'userOpHash'
>;

/** The gas of a transaction that a wallet has sent itself. */
function feeOf({ transaction, receipt }: Mined, watched: WatchedWallets, { coin }: Monies): Fee[] {
  const wallet = lower(transaction.from);
  const units = costOf(receipt);
  if (!watched.has(wallet) || units === 0n) return [];
  const failed = receipt.status === 'success' ? {} : { isFailed: true };
  return [{ wallet, money: coin, kind: 'fee', change: -units, ...failed }];
}

function costOf({ gasUsed, effectiveGasPrice }: TransactionReceipt): bigint {
  return gasUsed * effectiveGasPrice;
}

/** The gas of a wallet's operations that paymasters have paid. */
function sponsoredOf(
  operations: readonly Operation[],
  watched: WatchedWallets,
  { coin }: Monies,
): Fee[] {
  const own = operations.filter(({ sender }) => watched.has(lower(sender)));
  return own
    .filter(({ paymaster }) => BigInt(paymaster) !== 0n)
    .map(({ sender, paymaster, actualGasCost, success, userOpHash }) => ({
      wallet: lower(sender),
      money: coin,
      kind: 'sponsored' as const,
      change: 0n,
      sponsored: actualGasCost,
      counterparty: lower(paymaster),
      userOpHash,
      ...(success ? {} : { isFailed: true }),
    }));
}

function lower(address: string): string {
  return address.toLowerCase();
}
