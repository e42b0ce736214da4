import { erc20Abi, type Hash } from 'viem';
import type { Effect } from '../../../src/chain/effect';
import {
  type Execution,
  isOwnTransaction,
  operationExecution,
  ownExecution,
  type Who,
} from '../../../src/chain/execution';
import { readMined } from '../../../src/chain/place';
import { hex, readChain } from '../../../src/chain/readChain';
import { batchIn } from '../../../src/custody/batch';
import {
  coinDecimals,
  digitsMax,
  fromBaseUnits,
  toBaseUnits,
} from '../../../src/custody/objects/amount';
import { inText, sameText } from '../../../src/custody/objects/sameText';
import type { Transaction as Recorded } from '../../../src/custody/objects/transaction';
import { isOrdered } from './isOrdered';

type Named = Who & { txHash: Hash };
type About = { effect: Effect; named: Named };

/**
 * True for a record of the same payment, or the same call. A payment may be made by a transfer or
 * by a call. A record of others claims wrongly. What a record does not show may be the same.
 */
export async function isSameWrite(
  rpcUrl: string,
  record: Recorded,
  { effect, named }: About,
): Promise<boolean> {
  const { destinationAddress, contractAddress, amounts, abiParameters } = record;
  if (isBare(record)) return true;
  switch (effect.kind) {
    case 'transfer': {
      if (!destinationAddress) return isExecuted(rpcUrl, record, named);
      if (!sameText(destinationAddress, effect.to)) return false;
      const [amount] = amounts ?? [];
      return !amount || sameAmount(amount, await amountOf(rpcUrl, effect));
    }
    case 'mint': {
      const { to, baseUnits } = effect;
      const isSame = sameParameters(abiParameters, [to, baseUnits]);
      return sameText(contractAddress, effect.contractAddress) && isSame;
    }
    case 'call': {
      const { of } = effect;
      if (of === undefined) return true;
      if (!contractAddress) return sameText(destinationAddress, payeeOf(of) ?? '');
      const isSame = sameParameters(abiParameters, of.abiParameters);
      return sameText(contractAddress, of.contractAddress) && isSame;
    }
    default:
      return true;
  }
}

/** True for a record that shows neither payee nor contract, as may be until they are known. */
export function isBare({ destinationAddress, contractAddress }: Partial<Recorded>): boolean {
  return !destinationAddress && !contractAddress;
}

/** True if the contract execution of a record is the one that its transaction shows. */
async function isExecuted(
  rpcUrl: string,
  record: Recorded,
  { txHash, ...who }: Named,
): Promise<boolean> {
  const { contractAddress, abiFunctionSignature, abiParameters } = record;
  if (contractAddress === undefined) return false;
  const { sender: from } = who;
  const mined = await readChain(rpcUrl, (chain) => readMined(chain, txHash));
  const isSmart = !isOwnTransaction(mined, who);
  const execution = isSmart ? operationExecution(mined, who) : ownExecution(mined);
  if (typeof execution === 'string') return false;
  const batch = batchIn({ ...record, walletId: record.walletId ?? '' });
  if (batch !== undefined) {
    return isOrdered({ kind: 'batch', from, ...batch, isWhole: false, isSmart }, execution);
  }
  // The chain shows of such a call only what is in it.
  if (sameText(contractAddress, from)) return true;
  if (abiFunctionSignature === undefined || !abiParameters) {
    return callsContract(execution, contractAddress);
  }
  const of = { contractAddress, abiFunctionSignature, abiParameters };
  return isOrdered({ kind: 'call', from, of }, execution);
}

/** True as well where the account's way of calling is unknown. */
function callsContract({ calls }: Execution, contractAddress: string): boolean {
  return calls === undefined || calls.some(({ to }) => sameText(to, contractAddress));
}

/** The payee of a call that pays. Undefined for any other call. */
function payeeOf({
  abiFunctionSignature,
  abiParameters: [to],
}: CalledFunction): string | undefined {
  const isPayment = abiFunctionSignature.replaceAll(' ', '') === 'transfer(address,uint256)';
  return isPayment && typeof to === 'string' ? to : undefined;
}

type CalledFunction = NonNullable<(Effect & { kind: 'call' })['of']>;

/** The amount of a transfer, as a record has it. Both faces of one coin have the same. */
async function amountOf(rpcUrl: string, effect: Effect & { kind: 'transfer' }): Promise<string> {
  const { tokenAddress, baseUnits } = effect;
  if (tokenAddress === '') return fromBaseUnits(BigInt(baseUnits), coinDecimals);
  const token = { address: hex(tokenAddress), abi: erc20Abi, functionName: 'decimals' } as const;
  const decimals = await readChain(rpcUrl, (chain) => chain.readContract(token));
  return fromBaseUnits(BigInt(baseUnits), decimals);
}

function sameAmount(one: string, other: string): boolean {
  try {
    return toBaseUnits(one, digitsMax) === toBaseUnits(other, digitsMax);
  } catch {
    return false;
  }
}

/** A record may lack its parameters. */
function sameParameters(
  ofRecord: readonly unknown[] | null | undefined,
  ordered: readonly unknown[],
) {
  return !ofRecord || sameText(inText(ofRecord), inText(ordered));
}
