import { heartbeat } from '@temporalio/activity';
import {
  getAddress,
  type Hash,
  type Hex,
  keccak256,
  type Log,
  type PublicClient,
  parseAbi,
  parseEventLogs,
} from 'viem';
import { type ChainMovement, transfersOf } from '../../src/chain/movements';
import { readChain } from '../../src/chain/readChain';
import { paymentData } from '../../src/custody/batch';
import { memoContract } from '../../src/custody/memo';
import { sameText } from '../../src/custody/objects/sameText';
import { logsBetween } from './logsBetween';

/** A payment that a memo on the chain proves. The memo id is without `0x`. */
export type ProvenPayment = { memoId: string; hash: Hash; moved: ChainMovement };

const memoAbi = parseAbi([
  'event BeforeMemo(uint256 indexed memoIndex)',
  'event Memo(address indexed sender, address indexed target, bytes32 callDataHash, bytes32 indexed memoId, bytes memo, uint256 memoIndex)',
]);
const [, memoEvent] = memoAbi;

/** Nodes take so many values of one topic. */
const idsMax = 1_000;
/** Number of receipts read at a time. */
const atOnceMax = 20;

type Search = {
  /** Without `0x`. */
  memoIds: readonly string[];
  /** The accounts whose memos count. */
  senders: readonly string[];
  /** No account is older. */
  sinceMs: number;
};

/**
 * Asks the chain for memos with these ids. A memo counts only if one of the accounts has sent it.
 * Its token must have logged one transfer between the two events of the memo. The memo must have
 * the hash of exactly that transfer's call. A lack of memos says nothing.
 */
export async function provenPayments(rpcUrl: string, search: Search): Promise<ProvenPayment[]> {
  const { memoIds, senders, sinceMs } = search;
  const proven: ProvenPayment[] = [];
  for (let first = 0; first < memoIds.length; first += idsMax) {
    const ids = memoIds.slice(first, first + idsMax).map((id): Hex => `0x${id}`);
    const args = { sender: senders.map((sender) => getAddress(sender)), memoId: ids };
    const filter = { address: getAddress(memoContract), event: memoEvent, args, strict: true };
    const memos = await logsBetween({ rpcUrl, sinceMs }, (chain, range) =>
      chain.getLogs({ ...filter, ...range, strict: true }),
    );
    const hashes = [...new Set(memos.map(({ transactionHash }) => transactionHash))];
    for (let at = 0; at < hashes.length; at += atOnceMax) {
      const some = hashes.slice(at, at + atOnceMax);
      proven.push(...(await readChain(rpcUrl, (chain) => provenIn(chain, some))));
      heartbeat();
    }
  }
  const isAsked = ({ memoId, moved }: ProvenPayment): boolean =>
    memoIds.includes(memoId) && senders.some((sender) => sameText(sender, moved.from));
  return proven.filter(isAsked);
}

async function provenIn(chain: PublicClient, hashes: readonly Hash[]): Promise<ProvenPayment[]> {
  const receipts = await Promise.all(hashes.map((hash) => chain.getTransactionReceipt({ hash })));
  return receipts.flatMap(({ logs, transactionHash }) =>
    provenBy(logs).map((payment) => ({ ...payment, hash: transactionHash })),
  );
}

/** The payments that the memos in a transaction's logs prove. */
function provenBy(logs: Log[]): Omit<ProvenPayment, 'hash'>[] {
  const own = (eventName: 'BeforeMemo' | 'Memo') =>
    parseEventLogs({
      abi: memoAbi,
      eventName,
      logs: logs.filter(({ address }) => sameText(address, memoContract)),
    });
  const begun = own('BeforeMemo');
  return own('Memo').flatMap(({ args, logIndex }) => {
    if (args === undefined || !('memoId' in args)) return [];
    const begin = begun.find((one) => one.args.memoIndex === args.memoIndex);
    if (begin === undefined) return [];
    const between = logs.filter((log) => isBetween(log, begin.logIndex, logIndex));
    const transfers = transfersOf(between, [args.target]).filter(({ from }) =>
      sameText(from, args.sender),
    );
    const [moved, ...others] = transfers;
    if (moved === undefined || others.length > 0 || hashOf(moved) !== args.callDataHash) return [];
    return [{ memoId: args.memoId.slice(2), moved }];
  });
}

function isBetween({ logIndex }: Log, first: number | null, last: number | null): boolean {
  return logIndex !== null && logIndex > (first ?? logIndex) && logIndex < (last ?? logIndex);
}

/** The hash of the call that makes a transfer. */
function hashOf({ to, baseUnits }: ChainMovement): Hash {
  return keccak256(`0x${paymentData({ to, baseUnits: baseUnits.toString() })}`);
}
