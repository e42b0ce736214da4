import { encodeEventTopics, erc20Abi, getAddress, type Log } from 'viem';
import { sameText } from '../custody/objects/sameText';

/** One movement of money. The token's address is empty for the native coin. */
export type ChainMovement = {
  token: string;
  from: string;
  to: string;
  baseUnits: bigint;
  /** Undefined where nothing logs it. */
  logIndex?: number | undefined;
};

/** Logs each movement of the native coin where a chain has EIP-7708, as Arc does. */
export const coinLogger = '0xfffffffffffffffffffffffffffffffffffffffe';

const [transferTopic] = encodeEventTopics({ abi: erc20Abi, eventName: 'Transfer' });
/** The amount is the first word of a log's data, as hexadecimal digits behind 0x. */
const amountDigits = 66;
const addressDigits = 40;

/** Transfers that these contracts logged. */
export function transfersOf(logs: readonly Log[], tokens: readonly string[]): ChainMovement[] {
  const own = logs.filter(({ address }) => tokens.some((token) => sameText(token, address)));
  return own.flatMap((log) => {
    const moved = transferIn(log);
    return moved === undefined
      ? []
      : { ...moved, from: getAddress(moved.from), to: getAddress(moved.to) };
  });
}

/**
 * The transfer that a log tells, addresses in lower case. Undefined for other logs. Hundreds of
 * thousands are read for a close of the books, so that it decodes only what a transfer has.
 */
export function transferIn({ address, topics, data, logIndex }: Log): ChainMovement | undefined {
  const [kind, from, to] = topics;
  if (kind !== transferTopic || from === undefined || to === undefined) return undefined;
  if (data.length < amountDigits) return undefined;
  const baseUnits = BigInt(data.slice(0, amountDigits));
  const parties = { from: partyIn(from), to: partyIn(to) };
  return { token: address, ...parties, logIndex: logIndex ?? undefined, baseUnits };
}

/** The address in a topic, in lower case. */
export function partyIn(topic: string): string {
  return `0x${topic.slice(-addressDigits).toLowerCase()}`;
}

export function movementInWords({ token, from, to, baseUnits }: ChainMovement): string {
  return `${baseUnits} base units of ${token || 'the native coin'} from ${from} to ${to}`;
}
