import { type Effect, effectFaults } from '../../chain/effect';
import type { Execution, Mined } from '../../chain/execution';
import { movementInWords } from '../../chain/movements';
import { networks } from '../../custody/networks/networks';
import { coinDecimals } from '../../custody/objects/amount';
import { sameMoney } from '../../custody/objects/money';
import { sameText } from '../../custody/objects/sameText';
import { type ArchivedReceipt, unitsFault } from '../receipt';
import type { Trust } from './trust';
import type { ShownTransaction, Witness } from './witness';

/** A chain's answer about a receipt. Without a fault, it shows exactly what the receipt says. */
export type Proof = Trust & { faults: string[] };

/** Compares a receipt with the chain, field by field. */
export async function proveOnChain(witness: Witness, receipt: ArchivedReceipt): Promise<Proof> {
  const { chainId, txHash = '', userOpHash } = receipt.chain;
  const actual = await witness.chainId();
  if (actual !== chainId) {
    const doubt = `The node is of chain ${actual}, and the receipt is of chain ${chainId}`;
    return { faults: [], doubts: [doubt], notes: [] };
  }
  const shown = await witness.transaction(txHash.toLowerCase());
  if (shown === undefined) {
    const words = `txHash: ${txHash} is in no block of this chain`;
    if (isOfNoBlock(receipt)) return { faults: [], doubts: [`${words}${asSaid}`], notes: [] };
    return { faults: [words], doubts: [], notes: [] };
  }
  const { mined, trust } = shown;
  const execution = shown.executionOf({ sender: receipt.sender, userOpHash });
  const faults = await blockFaults(witness, receipt, mined);
  if (typeof execution === 'string') faults.push(`sender: ${execution}`);
  else faults.push(...executionFaults(receipt, execution, shown));
  faults.push(...(await decimalsFaults(witness, receipt)));
  return { faults, ...trust };
}

const asSaid = ', as the receipt says: it failed';

/** The doubt about a failure that never had a transaction, which no chain can show. */
export const neverSent = `txHash: there is none, so that no block has it${asSaid}`;

/** True for a receipt of a failure that claims no block. */
function isOfNoBlock({ outcome, chain }: ArchivedReceipt): boolean {
  return outcome === 'failed' && chain.blockNumber === undefined;
}

/** Faults of a receipt that need no chain, such as an amount that is not its base units. */
export function ownFaults(receipt: ArchivedReceipt): string[] {
  const { money, outcome, chain } = receipt;
  const faults = nameFaults(receipt);
  if (chain.txHash === undefined && !isOfNoBlock(receipt)) {
    faults.push('txHash: is missing, so no chain can show it');
  }
  if (money === undefined) return faults;
  const ofAmount = unitsFault(money);
  if (ofAmount !== undefined) faults.push(ofAmount);
  const isToken = money.token.address !== '' && outcome === 'completed';
  if (isToken && chain.blockNumber !== undefined && chain.logIndex === undefined) {
    faults.push('logIndex: is missing, so that no log proves the amount');
  }
  return faults;
}

/** Names that people know, and that stand for another chain or another token. */
function nameFaults({ money, chain }: ArchivedReceipt): string[] {
  const { blockchain, chainId } = chain;
  const all = Object.entries(networks);
  const [name, network] = all.find(([, one]) => one.chainId === chainId) ?? [];
  const faults: string[] = [];
  if (name !== blockchain && all.some(([known]) => [name, blockchain].includes(known))) {
    faults.push(`blockchain: ${blockchain} is not the chain ${chainId}`);
  }
  if (name === undefined || network === undefined || money === undefined) return faults;
  const { token } = money;
  const known = network.tokens.filter(({ symbol }) => sameText(symbol, token.name));
  const isIt = known.some(({ address }) => sameMoney(address, token.address, name));
  const [own] = known;
  if (own !== undefined && !isIt) {
    const of = `${token.address || 'the native coin'} is not ${own.symbol}`;
    faults.push(`token: ${of}, which is ${own.address || 'the native coin'} on ${name}`);
  }
  return faults;
}

function executionFaults(
  receipt: ArchivedReceipt,
  execution: Execution,
  shown: ShownTransaction,
): string[] {
  const { sender, outcome, fee } = receipt;
  const faults: string[] = [];
  const isDone = outcome === 'completed';
  if (!sameText(execution.sender, sender)) {
    faults.push(`sender: it was done by ${execution.sender}, the receipt says ${sender}`);
  }
  if (execution.success !== isDone) {
    const shown = execution.success ? 'it succeeded' : 'it was reverted';
    faults.push(`outcome: ${shown} on the chain, the receipt says ${outcome}`);
  }
  if (fee !== undefined && fee.baseUnits !== `${execution.fee}`) {
    faults.push(`fee: it was ${execution.fee}, the receipt says ${fee.baseUnits}`);
  }
  if (execution.success && isDone) faults.push(...moneyFaults(receipt, execution, shown));
  return faults;
}

/** A token's own log at its index, or the one movement of the native coin. */
function moneyFaults(
  receipt: ArchivedReceipt,
  execution: Execution,
  shown: ShownTransaction,
): string[] {
  const { money, chain, kind } = receipt;
  if (money === undefined) return [];
  const { from, to, baseUnits, token } = money;
  const { address: tokenAddress, decimals } = token;
  const { blockchain } = chain;
  const effect =
    kind === 'mint'
      ? { kind, contractAddress: tokenAddress, to, baseUnits, decimals }
      : { kind: 'transfer' as const, tokenAddress, from, to, baseUnits, blockchain };
  // Its worker had no node to read the log from.
  if (chain.blockNumber === undefined) return differences(effect, execution);
  const moved = shown.movedBy(effect, execution);
  const at = moved.find(({ logIndex }) => logIndex === chain.logIndex);
  if (at === undefined && (moved.length > 0 || chain.logIndex !== undefined)) {
    const logs = moved.map(({ logIndex }) => logIndex ?? 'no log').join(', ') || 'none';
    return [
      `logIndex: the log ${chain.logIndex ?? '(none)'} moved none of it. Logs of it: ${logs}`,
    ];
  }
  // The native coin moves without a log, or its log counts in other units than its twin's.
  if (at?.logIndex === undefined || !sameText(at.token, tokenAddress)) {
    return differences(effect, execution);
  }
  const said = { token: tokenAddress, from, to, baseUnits: BigInt(baseUnits) };
  const isSame = sameText(at.from, from) && sameText(at.to, to) && at.baseUnits === said.baseUnits;
  return isSame
    ? []
    : [`money: it moved ${movementInWords(at)}, the receipt says ${movementInWords(said)}`];
}

function differences(effect: Effect, execution: Execution): string[] {
  return effectFaults(effect, execution).map((fault) => `money: ${fault}`);
}

async function blockFaults(
  witness: Witness,
  { chain: told, time }: ArchivedReceipt,
  { receipt }: Mined,
): Promise<string[]> {
  if (told.blockNumber === undefined) return [];
  const faults: string[] = [];
  const { blockNumber, blockHash } = receipt;
  if (BigInt(told.blockNumber) !== blockNumber) {
    faults.push(`blockNumber: it is in block ${blockNumber}, the receipt says ${told.blockNumber}`);
  }
  const block = await witness.block(blockNumber);
  if (block.hash !== blockHash) faults.push(`blockNumber: block ${blockNumber} is another one now`);
  const blockTime = new Date(Number(block.timestamp) * 1_000).toISOString();
  for (const [field, value] of Object.entries({ blockTime: told.blockTime, time })) {
    if (value === undefined || Date.parse(value) === Date.parse(blockTime)) continue;
    faults.push(`${field}: the block is of ${blockTime}, the receipt says ${value}`);
  }
  return faults;
}

/** A token's decimals decide what its base units are worth. */
async function decimalsFaults(witness: Witness, { money }: ArchivedReceipt): Promise<string[]> {
  if (money === undefined) return [];
  const { address, decimals } = money.token;
  const actual = address === '' ? coinDecimals : await witness.decimals(address.toLowerCase());
  if (actual === decimals) return [];
  return [`decimals: the token has ${actual}, the receipt says ${decimals}`];
}
