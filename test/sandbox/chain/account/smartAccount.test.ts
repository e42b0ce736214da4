import { encodeFunctionData, hashMessage, hashTypedData, parseAbi } from 'viem';
import type { LocalAccount } from 'viem/accounts';
import { signUserOperation } from '../../../../sandbox/chain/account/userOperation';
import type { Chain } from '../../../../sandbox/chain/chain';
import type { WalletCall } from '../../../../sandbox/chain/estimateCall';
import { readTransfers } from '../../../../sandbox/chain/transfers';
import {
  account,
  fees,
  mineAsFaucet,
  mineOperations,
  mintCall,
  startTestChain,
  transferCall,
} from '../testChain';

const abi = parseAbi([
  'struct Call { address target; uint256 value; bytes data; }',
  'struct Operation { address sender; uint256 nonce; bytes initCode; bytes callData; uint256 callGasLimit; uint256 verificationGasLimit; uint256 preVerificationGas; uint256 maxFeePerGas; uint256 maxPriorityFeePerGas; bytes paymasterAndData; bytes signature; }',
  'function validateUserOp(Operation operation, bytes32 hash, uint256 missing) returns (uint256)',
  'function executeBatch(Call[] calls) payable returns (bytes[])',
  'function execute(address target, uint256 value, bytes data) payable returns (bytes)',
  'function initialize(address owner)',
  'function upgradeTo(address implementation)',
  'function isValidSignature(bytes32 hash, bytes signature) view returns (bytes4)',
  'function supportsInterface(bytes4 id) view returns (bool)',
]);
const isValid = '0x1626ba7e';
const owner = account(60);
const salt = 0n;

let chain: Chain;
let address: `0x${string}`;

/** Mines one call of the account, and tells what came of it. */
async function act(call: WalletCall, callGasLimit?: bigint) {
  const signed = await signUserOperation(chain, { owner, salt, call, fees, callGasLimit });
  const [outcome] = await mineOperations(chain, [signed]);
  return outcome;
}

/** The account's judgement of a signature. */
function verdict(hash: `0x${string}`, signature: `0x${string}`) {
  const args = [hash, signature] as const;
  return chain.client.readContract({ address, abi, functionName: 'isValidSignature', args });
}

const transfer = (to: LocalAccount, amount: bigint) =>
  transferCall(chain.contracts.usdc, { to: to.address, amount });
const batch = (calls: readonly WalletCall[]): WalletCall => {
  const args = [calls.map(({ to, value, data }) => ({ target: to, value, data }))] as const;
  const data = encodeFunctionData({ abi, functionName: 'executeBatch', args });
  return { to: address, value: 0n, data };
};

beforeAll(async () => {
  chain = await startTestChain();
  address = chain.accountAddress(owner.address, salt);
  await mineAsFaucet(chain, [mintCall(chain.contracts.usdc, { to: address, amount: 100n })]);
  expect(await act(transfer(account(61), 1n))).toMatchObject({ success: true });
});

describe('a smart account', () => {
  it('does all calls of a batch in one operation', async () => {
    const outcome = await act(batch([transfer(account(62), 2n), transfer(account(63), 3n)]));
    expect(outcome).toMatchObject({ success: true });
    expect(readTransfers(outcome?.logs ?? [])).toMatchObject([
      { from: address, to: account(62).address, counts: [2n] },
      { from: address, to: account(63).address, counts: [3n] },
    ]);
  });

  it('does none of them where one reverts, and says what that one said', async () => {
    const calls = batch([transfer(account(64), 2n), transfer(account(64), 1_000n)]);
    await expect(act(calls)).rejects.toMatchObject({
      reason: 'ERC20: transfer amount exceeds balance',
    });
    expect(await act(calls, 200_000n)).toMatchObject({
      success: false,
      revertReason: 'ERC20: transfer amount exceeds balance',
      logs: [],
    });
  });

  it('says of the signatures of its owner that they are valid, and of no others', async () => {
    const message = await owner.signMessage({ message: 'I agree' });
    const typedData = {
      types: { Bid: [{ name: 'amount', type: 'uint256' }] },
      primaryType: 'Bid',
      domain: { name: 'Auction', chainId: chain.chainId },
      message: { amount: 5n },
    } as const;
    const typed = await owner.signTypedData(typedData);
    const foreign = await account(65).signMessage({ message: 'I agree' });
    expect(await verdict(hashMessage('I agree'), message)).toBe(isValid);
    expect(await verdict(hashTypedData(typedData), typed)).toBe(isValid);
    expect(await verdict(hashMessage('I disagree'), message)).toBe('0xffffffff');
    expect(await verdict(hashMessage('I agree'), foreign)).toBe('0xffffffff');
    expect(await verdict(hashMessage('I agree'), '0x1234')).toBe('0xffffffff');
  });

  it('takes nobody else for its owner, not even where it is made', async () => {
    const stranger = account(66).address;
    const asStranger = (data: `0x${string}`, to = address) =>
      chain.client.call({ account: stranger, to, data });
    const args = [chain.contracts.usdc, 0n, '0x'] as const;
    const execution = encodeFunctionData({ abi, functionName: 'execute', args });
    const { data: batched } = batch([transfer(account(66), 1n)]);
    const { accountImplementation: implementation } = chain.contracts;
    const upgrade = encodeFunctionData({
      abi,
      functionName: 'upgradeTo',
      args: [implementation],
    });
    const taken = encodeFunctionData({ abi, functionName: 'initialize', args: [stranger] });
    for (const data of [execution, batched, upgrade]) {
      await expect(asStranger(data)).rejects.toThrow('not from the entry point, the owner or');
    }
    for (const at of [address, implementation]) {
      await expect(asStranger(taken, at)).rejects.toThrow('already initialized');
    }
    const call = transfer(account(66), 1n);
    const { userOperation, userOpHash } = await signUserOperation(chain, {
      owner,
      salt,
      call,
      fees,
    });
    const validation = encodeFunctionData({
      abi,
      functionName: 'validateUserOp',
      args: [userOperation, userOpHash, 0n],
    });
    await expect(asStranger(validation)).rejects.toThrow('not from the entry point');
  });

  it.each(['0x01ffc9a7', '0x150b7a02', '0x4e2312e0', isValid] as const)(
    'says that it has the interface %s, as who sends it items or asks it for a signature wants',
    async (id) => {
      const has = { address, abi, functionName: 'supportsInterface', args: [id] } as const;
      expect(await chain.client.readContract(has)).toBe(true);
    },
  );
});
