import { type Abi, type Hex, parseAbi, toFunctionSelector } from 'viem';
import { entryPoint06Abi, entryPoint06Address } from 'viem/account-abstraction';
import type { Mined, Operation } from '../../chain/execution';
import { decodedCall } from '../../custody/abi/callData';
import { aggregate, attemptMark, batchIn, executeBatch } from '../../custody/batch';
import { memoSignature } from '../../custody/memo';
import { sameText } from '../../custody/objects/sameText';
import type { WatchedWallets } from '../movement';

/** A payment of a batch with the mark that it carries. Addresses are in lower case. */
export type Marked = { wallet: string; token: string; to: string; units: bigint; mark: string };

/** A call that a wallet has made, in the bytes of a transaction. */
type OwnCall = { wallet: string; to: string; data: Hex };

const execute = parseAbi(['function execute(address, uint256, bytes)']);
/** The functions that make batches, by their selectors. */
const known: ReadonlyMap<string, { signature: string; abi: Abi }> = new Map(
  [
    { signature: aggregate, abi: parseAbi([`function ${aggregate}`]) },
    { signature: executeBatch, abi: parseAbi([`function ${executeBatch}`]) },
    { signature: memoSignature, abi: parseAbi([`function ${memoSignature}`]) },
  ].map((one) => [toFunctionSelector(one.signature), one]),
);
const selectorDigits = 10;

/**
 * The marked payments that watched wallets wanted to make in a transaction, from its own bytes. So
 * they are known also where the service has lost their record, or shows another one. Payments that
 * have failed alone are among them.
 */
export function marksIn(
  mined: Mined,
  operations: readonly Operation[],
  watched: WatchedWallets,
): Marked[] {
  const { from, to, input } = mined.transaction;
  const own = to === null ? [] : [{ wallet: lower(from), to: lower(to), data: input }];
  const senders = operations.filter(({ sender }) => watched.has(lower(sender)));
  const inner = senders.length === 0 ? [] : operationCalls(mined, senders);
  return [...own, ...inner].filter(({ wallet }) => watched.has(wallet)).flatMap(marksOf);
}

/** The calls of user operations, as their bundle has them. */
function operationCalls({ transaction }: Mined, operations: readonly Operation[]): OwnCall[] {
  if (!sameText(transaction.to ?? '', entryPoint06Address)) return [];
  const bundle = decodedCall(entryPoint06Abi, transaction.input);
  const [bundled = []] = bundle?.functionName === 'handleOps' ? bundle.args : [];
  return bundled
    .filter(({ sender, nonce }) =>
      operations.some((one) => sameText(one.sender, sender) && one.nonce === nonce),
    )
    .map(({ sender, callData }) => ({ wallet: lower(sender), to: lower(sender), data: callData }));
}

function marksOf({ wallet, to, data }: OwnCall): Marked[] {
  const inside = to === wallet ? decodedCall(execute, data) : undefined;
  if (inside !== undefined) {
    const [target, , inner] = inside.args;
    return marksOf({ wallet, to: lower(target), data: inner });
  }
  const of = known.get(data.slice(0, selectorDigits));
  const call = of && decodedCall(of.abi, data);
  const batch = batchIn({
    walletId: wallet,
    contractAddress: to,
    abiFunctionSignature: of?.signature,
    abiParameters: call?.args ?? [],
  });
  const { tokenAddress: token, payments } = batch ?? { tokenAddress: '', payments: [] };
  return payments.map(({ to: payee, baseUnits, mark }) => {
    return { wallet, token, to: payee, units: BigInt(baseUnits), mark: attemptMark(mark) };
  });
}

function lower(address: string): string {
  return address.toLowerCase();
}
