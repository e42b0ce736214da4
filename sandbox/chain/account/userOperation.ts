import {
  type Address,
  concat,
  encodeFunctionData,
  type Hex,
  isAddressEqual,
  pad,
  prepareEncodeFunctionData,
  size,
  toFunctionSelector,
} from 'viem';
import { getUserOperationHash } from 'viem/account-abstraction';
import type { LocalAccount } from 'viem/accounts';
import type { Chain } from '../chain';
import { gasOfCall } from '../coinTransfer';
import { type CodeOverride, estimateCall, type Fees, type WalletCall } from '../estimateCall';
import { accountAbi, accountFactoryAbi } from '../genesis/abi';
import { createHoldings } from '../holdings';
import { CallRevertedError } from '../revert';
import type { UserOperation } from './operation';
import { sponsor } from './sponsor';

/** The three gas limits of an operation. */
export type UserOperationEstimate = Pick<
  UserOperation,
  'callGasLimit' | 'verificationGasLimit' | 'preVerificationGas'
>;

export type UserOperationOptions = {
  owner: LocalAccount;
  salt: bigint;
  call: WalletCall;
  fees: Fees;
  /** Replaces the estimate. Then a call that reverts is not found out before it is mined. */
  callGasLimit?: bigint | undefined;
  /** True where it is known that the account is on the chain. Else the chain is asked. */
  isDeployed?: boolean | undefined;
};

export type SignedUserOperation = { userOperation: UserOperation; userOpHash: Hex };

// The paymaster verifies within this limit too: its signature, and its first note of a sender.
const verificationGas = 150_000n;
const deploymentGas = 300_000n;
/**
 * Entry point, account and paymaster copy and hash the call's bytes. Memory costs more per byte as
 * it grows. 30 kB alone cost 4 gas a byte. 300 kB, or a place late in a large bundle, cost 7.
 */
const verificationGasPerByte = 8n;

/** Gas limits of an operation, found before anything is signed. */
export async function estimateUserOperation(
  chain: Chain,
  options: Pick<UserOperationOptions, 'salt' | 'call' | 'callGasLimit' | 'isDeployed'> & {
    owner: Address;
  },
): Promise<UserOperationEstimate> {
  const sender = chain.accountAddress(options.owner, options.salt);
  const { call } = options;
  const asked = options.isDeployed || isOnChain(chain, sender);
  const [isDeployed, callGasLimit] = await Promise.all([
    asked,
    options.callGasLimit ?? estimateCallGas(chain, { from: sender, call, isDeployed: asked }),
  ]);
  return {
    callGasLimit,
    verificationGasLimit:
      verificationGas +
      verificationGasPerByte * BigInt(size(call.data)) +
      (isDeployed ? 0n : deploymentGas),
    // The chain cannot measure this part: the share of the bundle, and the bytes in it.
    preVerificationGas: 45_000n + 16n * BigInt(size(call.data)),
  };
}

/**
 * Builds, sponsors and signs the operation of a smart account, with the account's creation if it is
 * the first one. Only one operation of an account may be in flight: both nonces are the chain's.
 */
export async function signUserOperation(
  chain: Chain,
  options: UserOperationOptions,
): Promise<SignedUserOperation> {
  const { owner, salt, call, fees } = options;
  const account = { owner: owner.address, salt };
  const sender = chain.accountAddress(owner.address, salt);
  const isDeployed = options.isDeployed || (await isOnChain(chain, sender));
  const [estimate, nonce, paymasterNonce] = await Promise.all([
    estimateUserOperation(chain, { ...options, ...account, isDeployed }),
    chain.readNumber({
      to: chain.contracts.entryPoint,
      selector: nonceSelector,
      words: [sender, '0x0'],
    }),
    readPaymasterNonce(chain, sender),
  ]);
  return sign(chain, owner, {
    paymasterNonce,
    sender,
    nonce,
    initCode: isDeployed ? '0x' : creationCode(chain, account),
    callData: executionOf(call),
    ...estimate,
    ...fees,
    paymasterAndData: '0x',
    signature: '0x',
  });
}

const nonceSelector = toFunctionSelector('getNonce(address,uint192)');
const paymasterNonceSelector = toFunctionSelector('senderNonce(address)');

function readPaymasterNonce({ readNumber, contracts }: Chain, sender: Address): Promise<bigint> {
  const to = contracts.paymaster;
  return readNumber({ to, selector: paymasterNonceSelector, words: [sender] });
}

/** Returns true if the account has been created. */
export async function isOnChain({ client }: Chain, address: Address): Promise<boolean> {
  return (await client.getCode({ address })) !== undefined;
}

/** Signs an operation again with other fields, under the same nonce. */
export async function replaceUserOperation(
  chain: Chain,
  options: {
    owner: LocalAccount;
    operation: UserOperation;
    changes: Fees & Partial<Pick<UserOperation, 'callData'>>;
  },
): Promise<SignedUserOperation> {
  const { owner, operation, changes } = options;
  const paymasterNonce = await readPaymasterNonce(chain, operation.sender);
  return sign(chain, owner, { ...operation, ...changes, paymasterNonce });
}

/** The paymaster agrees to the operation first, since the owner's signature covers that too. */
async function sign(
  chain: Chain,
  owner: LocalAccount,
  { paymasterNonce, ...fields }: UserOperation & { paymasterNonce: bigint },
): Promise<SignedUserOperation> {
  const unsigned: UserOperation = { ...fields, paymasterAndData: '0x', signature: '0x' };
  const paymasterAndData = await sponsor(chain, { userOperation: unsigned, paymasterNonce });
  const userOpHash = hashOf(chain, { ...unsigned, paymasterAndData });
  const signature = await owner.signMessage({ message: { raw: userOpHash } });
  return { userOperation: { ...unsigned, paymasterAndData, signature }, userOpHash };
}

async function estimateCallGas(
  chain: Chain,
  {
    isDeployed,
    ...request
  }: { from: Address; call: WalletCall; isDeployed: boolean | Promise<boolean> },
): Promise<bigint> {
  const { from, call } = request;
  requireSigner(chain, call);
  // Nobody is at the address yet, so that a call of its own would cost nothing.
  const isOfNobody = isAddressEqual(call.to, from) && !(await isDeployed);
  const gas = isOfNobody
    ? await estimateCall(chain, { ...request, sender: await accountToBe(chain) })
    : await gasOfCall(chain, { ...request, held: createHoldings(chain, from) });
  // Two calls on the way each keep a 64th back, and the state may differ a little when it is mined.
  return gas + gas / 10n + 30_000n;
}

/**
 * Throws for a call of a contract that calls in the name of the transaction's signer. A smart
 * account never is that signer, and an estimate would take it for one.
 */
function requireSigner({ contracts }: Chain, { to }: WalletCall): void {
  const isForSigner = [contracts.multicall3From, contracts.memo].some((one) =>
    isAddressEqual(one, to),
  );
  if (isForSigner) {
    throw new CallRevertedError({ reason: 'sender spoofing requires tx.origin as sender' });
  }
}

/** The place of a proxy's implementation (EIP-1967). */
const implementationSlot = '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc';

/** An account as it is once it is created: the code of all accounts, and the place it is from. */
async function accountToBe({ client, contracts }: Chain): Promise<CodeOverride | undefined> {
  const address = await client.readContract({
    address: contracts.accountFactory,
    abi: accountFactoryAbi,
    functionName: 'implementation',
  });
  const code = await client.getCode({ address });
  return code && { code, stateDiff: { [implementationSlot]: pad(address) } };
}

/** The code with which the first operation of an account creates it. */
export function creationCode(chain: Chain, { owner, salt }: { owner: Address; salt: bigint }): Hex {
  const call = encodeFunctionData({
    abi: accountFactoryAbi,
    functionName: 'createAccount',
    args: [owner, salt],
  });
  return concat([chain.contracts.accountFactory, call]);
}

function executionOf({ to, value, data }: WalletCall): Hex {
  return encodeFunctionData({ ...execute, args: [to, value, data] });
}

/** The function with its selector, computed once and not for each operation. */
const execute = prepareEncodeFunctionData({ abi: accountAbi, functionName: 'execute' });

function hashOf(chain: Chain, userOperation: UserOperation): Hex {
  return getUserOperationHash({
    chainId: chain.chainId,
    entryPointAddress: chain.contracts.entryPoint,
    entryPointVersion: '0.6',
    userOperation,
  });
}
