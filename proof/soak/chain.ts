import {
  type Address,
  createPublicClient,
  erc20Abi,
  getAddress,
  hexToBigInt,
  http,
  type PublicClient,
} from 'viem';
import { z } from 'zod';
import { stablecoinAddresses } from '../../sandbox/chain/genesis/contracts';
import { coinUnitsPerTwinUnit } from '../../src/custody/objects/money';
import type { Cast, Token } from './order';

/** One Transfer log. Its units are those of the native coin where it is of USDC. */
export type Movement = {
  money: Token;
  from: Address;
  to: Address;
  baseUnits: bigint;
  txHash: string;
};

/** The events on chain since a block. */
export type Ledger = {
  movements: Movement[];
  /** The fees that each account has paid for its transactions, in base units of the coin. */
  fees: ReadonlyMap<Address, bigint>;
  blocks: number;
};

/** Reads the chain by RPC, never through the service. */
export type ChainReader = {
  blockNumber(): Promise<bigint>;
  /** The balance of an address now, in base units. */
  balance(money: Token, holder: Address): Promise<bigint>;
  /** All that was minted of a money, in base units. */
  supply(money: Token): Promise<bigint>;
  /** All that has happened above this block. */
  ledger(above: bigint): Promise<Ledger>;
};

/** The contract of USDC tells six decimals, and the coin has eighteen. */
const unitsEach = (money: Token): bigint => (money === 'USDC' ? coinUnitsPerTwinUnit : 1n);
const blocksAtOnce = 100;
const timeoutMs = 60_000;

export function readChain(rpcUrl: string, { contract }: Pick<Cast, 'contract'>): ChainReader {
  const client = createPublicClient({
    cacheTime: 0,
    transport: http(rpcUrl, { timeout: timeoutMs }),
  });
  const tokens = {
    USDC: stablecoinAddresses.usdc,
    EURC: stablecoinAddresses.eurc,
    minted: contract,
  };
  const read = (money: Token) => ({ address: tokens[money], abi: erc20Abi });
  return {
    blockNumber: () => client.getBlockNumber(),
    balance: (money, holder) =>
      money === 'USDC'
        ? client.getBalance({ address: holder })
        : client.readContract({ ...read(money), functionName: 'balanceOf', args: [holder] }),
    supply: async (money) => {
      const supply = await client.readContract({ ...read(money), functionName: 'totalSupply' });
      return supply * unitsEach(money);
    },
    ledger: async (above) => {
      const newest = await client.getBlockNumber();
      const range = { fromBlock: above + 1n, toBlock: newest };
      const movements = await Promise.all([
        ...(['USDC', 'EURC', 'minted'] as const).map((money) =>
          readMovements(client, { money, token: tokens[money], ...range }),
        ),
      ]);
      const fees = await readFees(rpcUrl, range);
      return { movements: movements.flat(), fees, blocks: Number(newest - above) };
    },
  };
}

async function readMovements(
  client: PublicClient,
  wanted: { money: Token; token: Address; fromBlock: bigint; toBlock: bigint },
): Promise<Movement[]> {
  const { money, token: address, fromBlock, toBlock } = wanted;
  const logs = await client.getContractEvents({
    address,
    abi: erc20Abi,
    eventName: 'Transfer',
    fromBlock,
    toBlock,
    strict: true,
  });
  return logs.map(({ args: { from, to, value }, transactionHash }) => ({
    money,
    from,
    to,
    baseUnits: value * unitsEach(money),
    txHash: transactionHash,
  }));
}

const quantity = z
  .string()
  .regex(/^0x[0-9a-f]+$/)
  .transform((text): bigint => hexToBigInt(`0x${text.slice(2)}`));
const receiptsSchema = z.array(
  z.object({
    result: z.array(
      z.object({
        from: z.string().transform((text) => getAddress(text)),
        gasUsed: quantity,
        effectiveGasPrice: quantity,
      }),
    ),
  }),
);

/** By the receipts of every transaction there is, whether it succeeded or not. */
async function readFees(
  rpcUrl: string,
  { fromBlock, toBlock }: { fromBlock: bigint; toBlock: bigint },
): Promise<Map<Address, bigint>> {
  const fees = new Map<Address, bigint>();
  for (let first = fromBlock; first <= toBlock; first += BigInt(blocksAtOnce)) {
    const calls = [];
    for (let block = first; block <= toBlock && calls.length < blocksAtOnce; block += 1n) {
      const params = [`0x${block.toString(16)}`];
      calls.push({ jsonrpc: '2.0', id: calls.length, method: 'eth_getBlockReceipts', params });
    }
    const answer = await fetch(rpcUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(calls),
    });
    for (const { result } of receiptsSchema.parse(await answer.json())) {
      for (const { from, gasUsed, effectiveGasPrice } of result) {
        fees.set(from, (fees.get(from) ?? 0n) + gasUsed * effectiveGasPrice);
      }
    }
  }
  return fees;
}
