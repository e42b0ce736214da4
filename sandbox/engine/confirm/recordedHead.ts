import { type Hex, keccak256 } from 'viem';
import { report } from '../../errors/report';
import type { BlockRow } from '../../store/records/records';
import type { EngineParts } from '../parts';

type Parts = Pick<EngineParts, 'store' | 'chain'>;

/** The newest block of the chain. */
type Head = {
  number: bigint;
  hash: Hex;
  parentHash: Hex;
  timestamp: bigint;
  transactions: Hex[];
};

/** Holds the contracts, and is in no store. */
const genesisNumber = 1;

/**
 * The newest block of the chain. It is the last recorded one, or the one before while the last is
 * not mined. Somebody may have told the node itself to mine, to go back or to reset. Then the chain
 * is rebuilt as it is recorded. Throws if it is wrong again at once.
 */
export async function recordedHead({ store, chain }: Parts): Promise<Head> {
  const [last, before] = store.blocks.newest(2);
  let head: Head = await chain.client.getBlock();
  if (!isRecorded(head, { last, before })) {
    report('The chain is being rebuilt', `block ${head.number} is not the recorded one`);
    await chain.rebuild();
    head = await chain.client.getBlock();
    requireLast(head, last);
  }
  if (last && last.hash === undefined && Number(head.number) === last.number) {
    const isIn = (raw: Hex): boolean => head.transactions.includes(keccak256(raw));
    const transactions = last.transactions.filter(isIn);
    store.blocks.update({ ...last, transactions, hash: head.hash });
  }
  return head;
}

/** A rebuilt chain has every block that is written down. */
function requireLast(head: Head, last: BlockRow | undefined): void {
  const { number, hash = head.hash } = last ?? { number: genesisNumber };
  if (Number(head.number) === number && head.hash === hash) return;
  throw new Error(`Block ${head.number} of the rebuilt chain is not the last one recorded.`);
}

type Newest = { last: BlockRow | undefined; before: BlockRow | undefined };

function isRecorded(head: Head, { last, before }: Newest): boolean {
  const number = Number(head.number);
  if (last === undefined) return number === genesisNumber;
  if (last.hash !== undefined) return head.hash === last.hash;
  const parent = before?.hash;
  if (number === last.number - 1) return parent === undefined || head.hash === parent;
  // Mined unheard. A block that has left out a transaction looks like somebody else's.
  return (
    number === last.number &&
    (parent === undefined || head.parentHash === parent) &&
    Number(head.timestamp) === last.timestampS &&
    head.transactions.length === last.transactions.length &&
    last.transactions.every((raw, index) => head.transactions[index] === keccak256(raw))
  );
}
