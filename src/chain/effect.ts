import { type Log, zeroAddress } from 'viem';
import { coinUnitsPerTwinUnit, isNativeCoin, twinsOn } from '../custody/objects/money';
import { sameText } from '../custody/objects/sameText';
import { type BatchEffect, paidBy } from './batchEffect';
import type { Execution } from './execution';
import { type ChainMovement, coinLogger, movementInWords, transfersOf } from './movements';

/**
 * The effect that the chain must show of a settled write. Amounts are decimal strings in base
 * units.
 */
export type Effect =
  | {
      kind: 'transfer';
      /** Empty for the native coin. */
      tokenAddress: string;
      from: string;
      to: string;
      baseUnits: string;
      /** Its chain, by the service's name. */
      blockchain: string;
    }
  | BatchEffect
  | {
      kind: 'mint';
      contractAddress: string;
      to: string;
      baseUnits: string;
      decimals: number;
    }
  | { kind: 'deployment'; from: string }
  | {
      kind: 'call';
      from: string;
      /** The native coin that goes with it. Unset: any amount. */
      baseUnits?: string;
      /** The function that is called. Unset: any. */
      of?: {
        contractAddress: string;
        abiFunctionSignature: string;
        abiParameters: readonly unknown[];
      };
    };

/**
 * Returns how a successful execution differs from the order, as sentences. Empty when it matches.
 */
export function effectFaults(effect: Effect, execution: Execution): string[] {
  if (effect.kind === 'mint') return mintFaults(effect, execution);
  const sender = senderFaults(effect, execution);
  if (effect.kind === 'transfer') return [...sender, ...transferFaults(effect, execution)];
  if (effect.kind === 'batch') return [...sender, ...paidBy(effect, execution).faults];
  if (effect.kind === 'deployment') return [...sender, ...deploymentFaults(execution)];
  return [...sender, ...valueFaults(effect, execution)];
}

/** The movements of a write's own money that an execution shows. */
export function movedBy(effect: Effect, execution: Execution): readonly ChainMovement[] {
  if (effect.kind === 'mint') return transfersOf(execution.logs, [effect.contractAddress]);
  if (effect.kind !== 'transfer') return [];
  const { tokenAddress: token, blockchain } = effect;
  if (!isNativeCoin(token, blockchain)) return transfersOf(execution.logs, [token]);
  return coinMoved(execution, twinsOn(blockchain)) ?? [];
}

function senderFaults({ from }: { from: string }, { sender }: Execution): string[] {
  return sameText(from, sender) ? [] : [`it was done by ${sender}, ordered was ${from}`];
}

/** The coin that an account has given its calls. A smart account's way of calling may be unknown. */
function valueFaults({ baseUnits }: { baseUnits?: string }, { calls }: Execution): string[] {
  const value = calls?.reduce((sum, call) => sum + call.value, 0n);
  if (baseUnits === undefined || value === undefined || value === BigInt(baseUnits)) return [];
  return [`${value} base units of the native coin went with it, ordered were ${baseUnits}`];
}

function mintFaults(effect: Effect & { kind: 'mint' }, { logs }: Execution): string[] {
  const { contractAddress: token, to } = effect;
  const ordered = { token, from: zeroAddress, to, baseUnits: BigInt(effect.baseUnits) };
  return onlyOne(ordered, transfersOf(logs, [token]));
}

function transferFaults(effect: Effect & { kind: 'transfer' }, execution: Execution): string[] {
  const { tokenAddress: token, from, to, blockchain } = effect;
  const ordered = { token, from, to, baseUnits: BigInt(effect.baseUnits) };
  if (!isNativeCoin(token, blockchain))
    return onlyOne(ordered, transfersOf(execution.logs, [token]));
  const twins = twinsOn(blockchain);
  const moved = coinMoved(execution, twins);
  return moved === undefined ? [] : onlyOne(ordered, moved, twins);
}

/**
 * Movements of the native coin, in either form. Undefined where the chain cannot tell: a smart
 * account with an unknown way of calling moves the coin without a log. Then the success of its
 * operation has to be enough.
 */
function coinMoved(execution: Execution, twins: readonly string[]): ChainMovement[] | undefined {
  const { sender, logs, calls } = execution;
  const asToken = transfersOf(logs, twins);
  if (calls !== undefined) {
    const sent = calls.filter(({ value }) => value > 0n);
    const asCoin = sent.map(({ to, value }) => ({ token: '', from: sender, to, baseUnits: value }));
    return [...asToken, ...asCoin];
  }
  // Here each movement has a log, even one that the token has logged too. Do not add them up.
  const logged = transfersOf(logs, [coinLogger]).map((movement) => ({ ...movement, token: '' }));
  if (logged.length > 0) return logged;
  return asToken.length > 0 ? asToken : undefined;
}

const shownMax = 3;

/** Returns a fault unless exactly the ordered movement happened, and nothing else. */
function onlyOne(
  ordered: ChainMovement,
  moved: readonly ChainMovement[],
  twins: readonly string[] = [],
): string[] {
  const [first, ...others] = moved;
  const coinUnits = ({ token, baseUnits }: ChainMovement): bigint =>
    twins.some((twin) => sameText(twin, token)) ? baseUnits * coinUnitsPerTwinUnit : baseUnits;
  const isExact =
    first !== undefined &&
    others.length === 0 &&
    sameText(first.from, ordered.from) &&
    sameText(first.to, ordered.to) &&
    coinUnits(first) === coinUnits(ordered);
  if (isExact) return [];
  const shown = moved.slice(0, shownMax).map(movementInWords).join(' and ');
  const more = moved.length > shownMax ? ` and ${moved.length - shownMax} more` : '';
  return [`it moved ${shown || 'nothing of it'}${more}, ordered was ${movementInWords(ordered)}`];
}

/**
 * Returns a fault unless a contract was created, directly or as a clone. Only a new clone logs
 * something during its initialisation, apart from the called contracts.
 */
function deploymentFaults({ sender, logs, calls = [], created }: Execution): string[] {
  const known = [sender, coinLogger, ...calls.map(({ to }) => to)];
  const isNew = ({ address }: Log): boolean => !known.some((other) => sameText(other, address));
  if (created || logs.some(isNew)) return [];
  return ['it created no contract: nothing but what it called has logged anything'];
}
