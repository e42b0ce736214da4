import {
  type Address,
  erc20Abi,
  getAddress,
  type Hex,
  type Log,
  type PublicClient,
  parseEventLogs,
} from 'viem';

/** A movement of a token; from the zero address it is a mint, to it a burn. */
export type TokenTransfer = {
  token: Address;
  from: Address;
  to: Address;
  amountBaseUnits: bigint;
  logIndex: number | null;
  transactionHash: Hex | null;
};

/** How many base units of the token the owner has. */
export function readBalance(
  client: PublicClient,
  { token, owner }: { token: Address; owner: Address },
): Promise<bigint> {
  return client.readContract({
    address: token,
    abi: erc20Abi,
    functionName: 'balanceOf',
    args: [owner],
  });
}

/** How many decimals the token has; throws when the address is not a token. */
export function readDecimals(client: PublicClient, token: Address): Promise<number> {
  return client.readContract({ address: token, abi: erc20Abi, functionName: 'decimals' });
}

/** The token's symbol; throws when the address is not a token. */
export function readSymbol(client: PublicClient, token: Address): Promise<string> {
  return client.readContract({ address: token, abi: erc20Abi, functionName: 'symbol' });
}

/** The ERC-20 movements among these logs, in their order. */
export function readTokenTransfers(logs: Log[]): TokenTransfer[] {
  return parseEventLogs({ abi: erc20Abi, eventName: 'Transfer', logs }).map((log) => ({
    token: getAddress(log.address),
    from: log.args.from,
    to: log.args.to,
    amountBaseUnits: log.args.value,
    logIndex: log.logIndex,
    transactionHash: log.transactionHash,
  }));
}
