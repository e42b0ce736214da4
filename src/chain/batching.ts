import {
  decodeFunctionResult,
  encodeFunctionData,
  erc20Abi,
  getAddress,
  type Hex,
  isAddress,
  type PublicClient,
  parseAbi,
  zeroHash,
} from 'viem';
import { multicallFrom } from '../custody/batch';
import { memoContract } from '../custody/memo';
import { revertOf } from './readChain';

const batchAbi = parseAbi([
  'struct Call3 { address target; bool allowFailure; bytes callData; }',
  'struct Result { bool success; bytes returnData; }',
  'function aggregate3(Call3[] calls) returns (Result[] returnData)',
]);

const memoAbi = parseAbi([
  'function memo(address target, bytes data, bytes32 memoId, bytes memoData)',
]);

/** Two accounts without code. Nobody needs their keys, since nothing is sent. */
const owner = '0x5ead8ce7a3b8e5d3b0e1b5f2c94a1d6e7f80b3a1';
const spender = '0x9c1b7a4de25f6803c9d0be47a1f2658d3e7c4b02';
const allowed = 987_654_321n;

/** The ways of calling a token that show it an account with a key as the sender. */
export type SenderKept = { inBatches: boolean; withMemo: boolean };

/**
 * Finds out how an account with a key can pay a token: in batches through `Multicall3From`, and in
 * them with a memo each. The call is only asked for, and never sent: an approval through the
 * contract, and the allowance after it. That allowance is the account's only if the token sees the
 * account as the sender.
 */
export async function senderKept(chain: PublicClient, tokenAddress: string): Promise<SenderKept> {
  if (!isAddress(tokenAddress, { strict: false })) return { inBatches: false, withMemo: false };
  const inBatches = await keeps(chain, tokenAddress, (call) => call);
  const withMemo = inBatches && (await keeps(chain, tokenAddress, inMemo));
  return { inBatches, withMemo };
}

type Call = { contract: string; target: Hex; data: Hex };

/** True if an approval that is made in this way is the account's own. */
async function keeps(
  chain: PublicClient,
  tokenAddress: string,
  wrapped: (call: Call) => Call,
): Promise<boolean> {
  const target = getAddress(tokenAddress);
  const approve = { abi: erc20Abi, functionName: 'approve', args: [spender, allowed] } as const;
  const data = encodeFunctionData(approve);
  const approval = wrapped({ contract: multicallFrom, target, data });
  const code = await chain.getCode({ address: getAddress(approval.contract) });
  if (code === undefined) return false;
  const [approved, allowance] = await ask(chain, { approval, target });
  return approved?.success === true && allowance !== undefined && isAllowed(allowance.returnData);
}

function inMemo({ target, data }: Call): Call {
  const args = [target, data, zeroHash, '0x'] as const;
  const contract = getAddress(memoContract);
  return {
    contract,
    target: contract,
    data: encodeFunctionData({ abi: memoAbi, functionName: 'memo', args }),
  };
}

type Answers = readonly { success: boolean; returnData: Hex }[];

/** The answers through the contract. None if it refuses, or answers with something else. */
async function ask(
  chain: PublicClient,
  { approval, target }: { approval: Call; target: Hex },
): Promise<Answers> {
  const read = { abi: erc20Abi, functionName: 'allowance', args: [owner, spender] } as const;
  const calls = [approval, { target, data: encodeFunctionData(read) }].map((call) => ({
    target: call.target,
    allowFailure: false,
    callData: call.data,
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
    if (revertOf(error) === undefined) throw error;
    return '0x';
  }
}

function isAllowed(answer: Hex): boolean {
  return answer !== '0x' && BigInt(answer) === allowed;
}
