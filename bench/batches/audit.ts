import { createPublicClient, erc20Abi, type Hash, http, toHex } from 'viem';
import { stablecoinAddresses } from '../../sandbox/chain/genesis/contracts';
import { toBaseUnits } from '../../src/custody/objects/amount';
import type { PayoutLine } from '../../src/orders/payout';
import type { Payer } from '../payouts/startService';

/** A payout as the record has it: the chain's own logs, or what the stub has accepted. */
export type Audit = {
  once: number;
  twice: number;
  lost: number;
  /** Transfers of the wallets that no line ordered. */
  otherwise: number;
  transactions: number;
  /** The stub has no gas. */
  gasPerLine?: number;
};

/** The wallets to look at, and the first block. */
type Since = { payers: readonly Payer[]; fromBlock: bigint };

const timeoutMs = 120_000;
/** One answer has the logs of all payments. */
const whole = { timeout: timeoutMs, maxResponseBodySize: false } as const;

/** Compares lines with the chain by recipient and amount. No two lines have the same recipient. */
export async function audit(
  rpcUrl: string,
  { lines, ...since }: Since & { lines: readonly PayoutLine[] },
): Promise<Audit> {
  const logs = await paidBy(rpcUrl, since);
  const left = new Map(lines.map(({ to, amount }) => [placeOf(to, toBaseUnits(amount, 6)), 0]));
  const own = logs.filter(({ place }) => left.has(place));
  for (const { place } of own) left.set(place, (left.get(place) ?? 0) + 1);
  const counts = [...left.values()];
  const hashes = [...new Set(own.map(({ hash }) => hash))];
  const gas = await gasOf(rpcUrl, hashes);
  return {
    once: counts.filter((count) => count === 1).length,
    twice: counts.filter((count) => count > 1).length,
    lost: counts.filter((count) => count === 0).length,
    otherwise: logs.length - own.length,
    transactions: hashes.length,
    gasPerLine: Number(gas) / own.length,
  };
}

/** The first block after now. */
export async function nextBlock(rpcUrl: string): Promise<bigint> {
  return (await createPublicClient({ transport: http(rpcUrl) }).getBlockNumber()) + 1n;
}

/** The transfers of these wallets, as USDC has logged them. */
export async function paidBy(
  rpcUrl: string,
  { payers, fromBlock }: Since,
): Promise<{ place: string; hash: Hash }[]> {
  const chain = createPublicClient({ transport: http(rpcUrl, whole) });
  const logs = await chain.getContractEvents({
    address: stablecoinAddresses.usdc,
    abi: erc20Abi,
    eventName: 'Transfer',
    fromBlock,
    strict: true,
  });
  const wallets = new Set(payers.map(({ address }) => address.toLowerCase()));
  return logs
    .filter(({ args }) => wallets.has(args.from.toLowerCase()))
    .map(({ args, transactionHash: hash }) => ({ place: placeOf(args.to, args.value), hash }));
}

function placeOf(to: string, baseUnits: bigint): string {
  return `${to.toLowerCase()} ${toHex(baseUnits)}`;
}

async function gasOf(rpcUrl: string, hashes: readonly Hash[]): Promise<bigint> {
  const chain = createPublicClient({
    transport: http(rpcUrl, { timeout: timeoutMs, batch: { batchSize: 100 } }),
  });
  const receipts = await Promise.all(hashes.map((hash) => chain.getTransactionReceipt({ hash })));
  return receipts.reduce((sum, { gasUsed }) => sum + gasUsed, 0n);
}
