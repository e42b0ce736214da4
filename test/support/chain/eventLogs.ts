import { createPublicClient, getAddress, http, toEventHash } from 'viem';

/** The logs of an event, read from the chain itself, in the chain's order. */
export async function logsOfChain(
  rpcUrl: string,
  { address, signature }: { address: string; signature: string },
) {
  const client = createPublicClient({ transport: http(rpcUrl) });
  const logs = await client.getLogs({ address: getAddress(address), fromBlock: 0n });
  return logs
    .filter(({ topics }) => topics[0] === toEventHash(signature))
    .map(({ transactionHash, blockHash, blockNumber, logIndex, topics, data }) => ({
      txHash: transactionHash,
      blockHash,
      blockHeight: Number(blockNumber),
      logIndex,
      topics,
      data,
    }));
}
