import type { BatchEffect } from '../../../src/chain/batchEffect';
import { type Effect, effectFaults } from '../../../src/chain/effect';
import type { AccountCall, Execution } from '../../../src/chain/execution';
import { encodeCall } from '../../../src/custody/abi/callData';
import { functionOf } from '../../../src/custody/abi/functionOf';
import { batchCall, paymentData } from '../../../src/custody/batch';
import { coinUnitsPerTwinUnit, isNativeCoin, twinsOn } from '../../../src/custody/objects/money';
import { sameText } from '../../../src/custody/objects/sameText';

/** A call that an order makes. Bytes behind its data do not count. */
type Ordered = Pick<AccountCall, 'to' | 'data'> & { value: bigint | undefined };

/**
 * True if an execution is the one that was ordered. A batch is told by its marks, a call by its
 * data, and a payment by what it moves. Where an account's way of calling is unknown, what it moved
 * has to be enough.
 */
export function isOrdered(effect: Effect, execution: Execution): boolean {
  const { calls, success, sender } = execution;
  if (effect.kind !== 'mint' && !sameText(sender, effect.from)) return false;
  const ways = waysOf(effect);
  const isKnown = calls !== undefined && ways !== undefined;
  if (isKnown && ways.some((way) => isSame(way, calls))) return true;
  if (effect.kind === 'call') return !isKnown;
  if (effect.kind === 'batch' && isKnown) return false;
  return success ? effectFaults(effect, execution).length === 0 : !isKnown;
}

/** True where nobody can tell the ordered call: its data or that of the execution is unknown. */
export function isAnyCall(effect: Effect, { calls }: Execution): boolean {
  if (effect.kind !== 'call' || effect.of === undefined) return false;
  return calls === undefined || waysOf(effect) === undefined;
}

function isSame(way: readonly Ordered[], calls: readonly AccountCall[]): boolean {
  return (
    way.length === calls.length &&
    way.every(({ to, data, value }, at) => {
      const call = calls[at];
      if (call === undefined || !sameText(call.to, to)) return false;
      if (value !== undefined && call.value !== value) return false;
      return call.data.toLowerCase().startsWith(data.toLowerCase());
    })
  );
}

/** The calls of an order, in each form that it may have. Undefined where its data is unknown. */
function waysOf(effect: Effect): Ordered[][] | undefined {
  switch (effect.kind) {
    case 'transfer':
      return transferWays(effect);
    case 'batch':
      return batchWays(effect);
    case 'mint':
      return callWays({
        contractAddress: effect.contractAddress,
        abiFunctionSignature: 'mintTo(address,uint256)',
        abiParameters: [effect.to, effect.baseUnits],
        baseUnits: '0',
      });
    case 'call':
      return effect.of && callWays({ ...effect.of, baseUnits: effect.baseUnits });
    case 'deployment':
      return undefined;
  }
}

type Transfer = Effect & { kind: 'transfer' };

function transferWays({ tokenAddress, to, baseUnits, blockchain }: Transfer): Ordered[][] {
  const units = BigInt(baseUnits);
  const asToken = (token: string, amount: bigint): Ordered => ({
    to: token,
    value: 0n,
    data: `0x${paymentData({ to, baseUnits: `${amount}` })}`,
  });
  if (!isNativeCoin(tokenAddress, blockchain)) return [[asToken(tokenAddress, units)]];
  const coinUnits = tokenAddress === '' ? units : units * coinUnitsPerTwinUnit;
  const asCoin = [{ to, value: coinUnits, data: '0x' as const }];
  if (coinUnits % coinUnitsPerTwinUnit !== 0n) return [asCoin];
  const twinUnits = coinUnits / coinUnitsPerTwinUnit;
  return [asCoin, ...twinsOn(blockchain).map((twin) => [asToken(twin, twinUnits)])];
}

function batchWays({
  from,
  tokenAddress,
  payments,
  isSmart,
}: BatchEffect): Ordered[][] | undefined {
  const marked = payments.flatMap(({ mark, ...paid }) =>
    mark === undefined ? [] : { ...paid, mark },
  );
  if (marked.length < payments.length) return undefined;
  const account = { address: from, accountType: isSmart ? 'SCA' : 'EOA' };
  const call = batchCall(account, { tokenAddress, payments: marked }, { mayFail: true });
  const [inner] = call.abiParameters;
  if (!isSmart || !Array.isArray(inner)) return callWays({ ...call, baseUnits: '0' });
  const calls = inner.map(([to, value, data]): Ordered => {
    return { to: `${to}`, value: BigInt(value ?? 0), data: `0x${`${data}`.slice(2)}` };
  });
  return [calls];
}

type Named = NonNullable<(Effect & { kind: 'call' })['of']> & { baseUnits: string | undefined };

/** Undefined where the parameters do not fit, so that nobody knows the data. */
function callWays({ contractAddress: to, baseUnits, ...named }: Named): Ordered[][] | undefined {
  const abi = functionOf(named.abiFunctionSignature);
  if (abi === undefined) return undefined;
  const value = baseUnits === undefined ? undefined : BigInt(baseUnits);
  try {
    return [[{ to, value, data: encodeCall(abi, named.abiParameters) }]];
  } catch {
    return undefined;
  }
}
