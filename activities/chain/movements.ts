import { erc20Abi, type Log, parseEventLogs } from 'viem';
import { sameText } from '../../src/custody/objects/sameMoney';

/** One movement of money. The token's address is empty for the native coin. */
export type Movement = {
  token: string;
  from: string;
  to: string;
  baseUnits: bigint;
  /** Undefined where nothing logs it. */
  logIndex?: number | undefined;
};

/** Logs each movement of the native coin where a chain has EIP-7708, as Arc does. */
export const coinLogger = '0xfffffffffffffffffffffffffffffffffffffffe';

/** Transfers that these contracts logged. */
export function transfersOf(logs: Log[], tokens: readonly string[]): Movement[] {
  const own = logs.filter(({ address }) => tokens.some((token) => sameText(token, address)));
  return parseEventLogs({ abi: erc20Abi, eventName: 'Transfer', logs: own }).map(
    ({ address, logIndex, args: { from, to, value } }) => ({
      token: address,
      ...{ from, to, logIndex },
      baseUnits: value,
    }),
  );
}

export function inWords({ token, from, to, baseUnits }: Movement): string {
  return `${baseUnits} base units of ${token || 'the native coin'} from ${from} to ${to}`;
}
