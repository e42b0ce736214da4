import {
  BaseError,
  erc20Abi,
  erc721Abi,
  getAddress,
  HttpRequestError,
  type PublicClient,
  parseAbi,
  RpcRequestError,
  TimeoutError,
} from 'viem';
import { UnansweredError } from '../../chain/node/calling';
import { sameText } from '../../custody/objects/sameText';
import type { Money } from '../money';

const itemsAbi = parseAbi(['function balanceOf(address, uint256) view returns (uint256)']);

/** The decimals that a contract states. Undefined where it states none. */
export function decimalsOf(client: PublicClient, token: string): Promise<number | undefined> {
  const call = { address: getAddress(token), abi: erc20Abi } as const;
  return orNone(client.readContract({ ...call, functionName: 'decimals' }));
}

/**
 * The balance that the contract of a token or of an item tells. Undefined where it tells none:
 * nobody but the contract vouches for it.
 */
export async function balanceTold(
  client: PublicClient,
  asked: { money: Money; holder: string; block: number },
): Promise<bigint | undefined> {
  const told = await orNone(balanceIn(client, asked));
  if (told !== undefined) return told;
  const { address } = asked.money;
  const blockNumber = BigInt(asked.block);
  const code = await client.getCode({ address: getAddress(address), blockNumber });
  // Before it was deployed, nobody had any of it. An item without an owner is not minted, or burnt.
  return code === undefined || asked.money.item?.standard === 'ERC721' ? 0n : undefined;
}

async function balanceIn(
  client: PublicClient,
  { money, holder, block }: { money: Money; holder: string; block: number },
): Promise<bigint> {
  const { address: contract, item } = money;
  const [address, owner] = [getAddress(contract), getAddress(holder)];
  const at = { address, blockNumber: BigInt(block) };
  if (item === undefined) {
    return client.readContract({ ...at, abi: erc20Abi, functionName: 'balanceOf', args: [owner] });
  }
  if (item.standard === 'ERC1155') {
    const args = [owner, item.id] as const;
    return client.readContract({ ...at, abi: itemsAbi, functionName: 'balanceOf', args });
  }
  const call = { ...at, abi: erc721Abi, functionName: 'ownerOf', args: [item.id] } as const;
  return sameText(await client.readContract(call), owner) ? 1n : 0n;
}

/** Words of nodes for a call that the contract itself has ended. */
const endedByContract = /revert|EVM error|opcode|out of gas|jump|stack (under|over)flow/i;

/** Undefined where the contract does not answer as it should. Trouble with the node is thrown. */
async function orNone<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (!(error instanceof BaseError) || isOfNode(error)) throw error;
    return undefined;
  }
}

function isOfNode(error: BaseError): boolean {
  const away = [HttpRequestError, TimeoutError, UnansweredError];
  if (error.walk((one) => away.some((kind) => one instanceof kind)) !== null) return true;
  const answer = error.walk((one) => one instanceof RpcRequestError);
  return answer instanceof RpcRequestError && !endedByContract.test(answer.details);
}
