import {
  BaseError,
  decodeFunctionResult,
  ExecutionRevertedError,
  encodeFunctionData,
  erc20Abi,
  getAddress,
  type Hex,
  isAddress,
  type PublicClient,
  parseAbi,
} from 'viem';
import { multicallFrom } from '../../src/custody/batch';

const batchAbi = parseAbi([
  'struct Call3 { address target; bool allowFailure; bytes callData; }',
  'struct Result { bool success; bytes returnData; }',
  'function aggregate3(Call3[] calls) returns (Result[] returnData)',
]);

/** Two accounts without code. Nobody needs their keys, since nothing is sent. */
const owner = '0x5ead8ce7a3b8e5d3b0e1b5f2c94a1d6e7f80b3a1';
const spender = '0x9c1b7a4de25f6803c9d0be47a1f2658d3e7c4b02';
const allowed = 987_654_321n;

/**
 * True if an account with a key can pay in batches of this token. The call is only asked for, and
 * never sent: an approval through the contract, and the allowance after it. That allowance is the
 * account's only if the token sees the account as the sender.
 */
export async function canBatch(chain: PublicClient, tokenAddress: string): Promise<boolean> {
  if (!isAddress(tokenAddress, { strict: false })) return false;
  const code = await chain.getCode({ address: multicallFrom });
  if (code === undefined) return false;
  const results = await ask(chain, getAddress(tokenAddress));
  const [approval, allowance] = results;
  return approval?.success === true && allowance !== undefined && isAllowed(allowance.returnData);
}

type Answers = readonly { success: boolean; returnData: Hex }[];

/** The answers through the contract. None if it refuses, or answers with something else. */
async function ask(chain: PublicClient, target: Hex): Promise<Answers> {
  const approve = { abi: erc20Abi, functionName: 'approve', args: [spender, allowed] } as const;
  const read = { abi: erc20Abi, functionName: 'allowance', args: [owner, spender] } as const;
  const calls = [encodeFunctionData(approve), encodeFunctionData(read)].map((callData) => ({
    target,
    allowFailure: false,
    callData,
  }));
  const batch = { abi: batchAbi, functionName: 'aggregate3' } as const;
  const answer = await callOrRevert(chain, encodeFunctionData({ ...batch, args: [calls] }));
  try {
    return decodeFunctionResult({ ...batch, data: answer });
  } catch {
    return [];
  }
}

async function callOrRevert(chain: PublicClient, data: Hex): Promise<Hex> {
  try {
    return (await chain.call({ account: owner, to: multicallFrom, data })).data ?? '0x';
  } catch (error) {
    if (!isRevert(error)) throw error;
    return '0x';
  }
}

function isRevert(error: unknown): boolean {
  if (!(error instanceof BaseError)) return false;
  return error.walk((inner) => inner instanceof ExecutionRevertedError) instanceof BaseError;
}

function isAllowed(answer: Hex): boolean {
  return answer !== '0x' && BigInt(answer) === allowed;
}
