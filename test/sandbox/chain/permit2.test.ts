import {
  type Address,
  BaseError,
  ContractFunctionRevertedError,
  compactSignatureToHex,
  type EncodeFunctionDataParameters,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  hashStruct,
  maxUint256,
  parseAbi,
  parseSignature,
  signatureToCompactSignature,
  zeroHash,
} from 'viem';
import { signUserOperation } from '../../../sandbox/chain/account/userOperation';
import type { Chain } from '../../../sandbox/chain/chain';
import { permit2 } from '../../../sandbox/chain/genesis/contracts';
import { readBalance } from '../../../sandbox/chain/token';
import { signTransaction } from '../../../sandbox/chain/transaction';
import { readTransfers } from '../../../sandbox/chain/transfers';
import {
  account,
  fees,
  mineAsFaucet,
  mineOperations,
  mintCall,
  nextTimestampS,
  startTestChain,
} from './testChain';

/** As the contract on other chains has them. */
const abi = parseAbi([
  'struct Permissions { address token; uint256 amount; }',
  'struct Transfer { Permissions permitted; uint256 nonce; uint256 deadline; }',
  'struct Batch { Permissions[] permitted; uint256 nonce; uint256 deadline; }',
  'struct Details { address to; uint256 requestedAmount; }',
  'struct Allowance { address token; uint160 amount; uint48 expiration; uint48 nonce; }',
  'struct Single { Allowance details; address spender; uint256 sigDeadline; }',
  'function permitTransferFrom(Transfer permit, Details transferDetails, address owner, bytes signature)',
  'function permitTransferFrom(Batch permit, Details[] transferDetails, address owner, bytes signature)',
  'function permitWitnessTransferFrom(Transfer permit, Details transferDetails, address owner, bytes32 witness, string witnessTypeString, bytes signature)',
  'function permit(address owner, Single permitSingle, bytes signature)',
  'function transferFrom(address from, address to, uint160 amount, address token)',
  'function invalidateUnorderedNonces(uint256 wordPos, uint256 mask)',
  'error InvalidNonce()',
  'error InvalidSigner()',
  'error InvalidContractSignature()',
  'error InvalidAmount(uint256 maxAmount)',
  'error SignatureExpired(uint256 signatureDeadline)',
  'error InsufficientAllowance(uint256 amount)',
  'error AllowanceExpired(uint256 deadline)',
]);

const permissions = [
  { name: 'token', type: 'address' },
  { name: 'amount', type: 'uint256' },
] as const;
const rest = [
  { name: 'spender', type: 'address' },
  { name: 'nonce', type: 'uint256' },
  { name: 'deadline', type: 'uint256' },
] as const;
const types = {
  TokenPermissions: permissions,
  PermitTransferFrom: [{ name: 'permitted', type: 'TokenPermissions' }, ...rest],
  PermitBatchTransferFrom: [{ name: 'permitted', type: 'TokenPermissions[]' }, ...rest],
  PermitWitnessTransferFrom: [
    { name: 'permitted', type: 'TokenPermissions' },
    ...rest,
    { name: 'witness', type: 'Invoice' },
  ],
  Invoice: [{ name: 'number', type: 'uint256' }],
  PermitSingle: [
    { name: 'details', type: 'PermitDetails' },
    { name: 'spender', type: 'address' },
    { name: 'sigDeadline', type: 'uint256' },
  ],
  PermitDetails: [
    { name: 'token', type: 'address' },
    { name: 'amount', type: 'uint160' },
    { name: 'expiration', type: 'uint48' },
    { name: 'nonce', type: 'uint48' },
  ],
} as const;

const holder = account(71);
const spender = account(72);
const payee = account(73).address;
const later = 2n ** 40n;

let chain: Chain;
let usdc: Address;
beforeAll(async () => {
  chain = await startTestChain();
  usdc = chain.contracts.usdc;
  const owners = [holder.address, spender.address];
  await mineAsFaucet(
    chain,
    owners.map((to) => mintCall(usdc, { to, amount: 10_000_000n })),
  );
  const approve = { abi: erc20Abi, functionName: 'approve', args: [permit2, maxUint256] } as const;
  expect(await mined(holder, usdc, encodeFunctionData(approve))).toBe('success');
});

type Call = EncodeFunctionDataParameters<typeof abi>;

/** Mines a call, whatever becomes of it. */
async function mined(from: typeof holder, to: Address, data: Hex) {
  const nonce = await chain.client.getTransactionCount({ address: from.address });
  const call = { to, value: 0n, data };
  const signed = await signTransaction(chain, { account: from, call, nonce, gas: 300_000n, fees });
  const timestampS = await nextTimestampS(chain);
  const { results } = await chain.mineBlock({ timestampS, transactions: [signed.transaction] });
  const [result] = results;
  if (result?.included !== true) return 'left out';
  if (result.receipt.status === 'success') seen.push(...readTransfers(result.receipt.logs));
  return result.receipt.status;
}

const seen: ReturnType<typeof readTransfers> = [];
const carry = (call: Call, by = spender) => mined(by, permit2, encodeFunctionData(call));

/** The name of the error of a call that would revert. */
async function refusal(call: Call, by = spender): Promise<string | undefined> {
  try {
    // The overloads of a union of calls are too much for the library's types.
    await chain.client.simulateContract({ address: permit2, account: by, ...call } as never);
    return undefined;
  } catch (error) {
    const cause = error instanceof BaseError ? error.walk((one) => isRevert(one)) : undefined;
    return isRevert(cause) ? cause.data?.errorName : String(error);
  }
}

function isRevert(error: unknown): error is ContractFunctionRevertedError {
  return error instanceof ContractFunctionRevertedError;
}

const held = (owner: Address) => readBalance(chain.client, { token: usdc, owner });

async function signed(primaryType: keyof typeof types, message: object, by = holder): Promise<Hex> {
  const domain = { name: 'Permit2', chainId: chain.chainId, verifyingContract: permit2 } as const;
  const { address } = spender;
  return by.signTypedData({
    domain,
    types: { [primaryType]: types[primaryType], ...used(primaryType) },
    primaryType,
    message: { spender: address, ...message },
  } as never);
}

/** The types that a type names, and no others, since all of them are signed. */
function used(primaryType: keyof typeof types): object {
  const names = types[primaryType].map(({ type }) => type.replace('[]', ''));
  return Object.fromEntries(Object.entries(types).filter(([name]) => names.includes(name)));
}

type Given = { nonce: bigint; amount?: bigint; deadline?: bigint };

/** A payment of an owner, signed by the holder unless somebody else does. */
async function payment(given: Given, owner = holder.address, by = holder) {
  const { nonce, amount = 1_000_000n, deadline = later } = given;
  const permit = { permitted: { token: usdc, amount: 1_000_000n }, nonce, deadline };
  const signature = await signed('PermitTransferFrom', permit, by);
  const details = { to: payee, requestedAmount: amount };
  const args = [permit, details, owner, signature] as const;
  return { abi, functionName: 'permitTransferFrom', args } as const;
}

describe('a payment that a holder signs for Permit2', () => {
  it('moves USDC once, and a second use of its nonce is refused', async () => {
    const before = await held(payee);
    const call = await payment({ nonce: 1n });
    expect([await carry(call), await carry(call)]).toEqual(['success', 'reverted']);
    expect(await refusal(call)).toBe('InvalidNonce');
    expect((await held(payee)) - before).toBe(1_000_000n);
    const moved = { token: usdc, from: holder.address, to: payee, counts: [1_000_000n] };
    expect(seen.at(-1)).toMatchObject(moved);
  });

  it('may be signed in 64 bytes, and may move less', async () => {
    const call = await payment({ nonce: 2n, amount: 400_000n });
    const [permit, details, owner, signature] = call.args;
    const compact = compactSignatureToHex(signatureToCompactSignature(parseSignature(signature)));
    const before = await held(payee);
    expect(await carry({ ...call, args: [permit, details, owner, compact] })).toBe('success');
    expect((await held(payee)) - before).toBe(400_000n);
  });

  it('is refused for more, too late, by somebody else, and once it is cancelled', async () => {
    const more = await payment({ nonce: 3n, amount: 1_000_001n });
    const late = await payment({ nonce: 3n, deadline: 1n });
    const call = await payment({ nonce: 3n });
    expect(await refusal(more)).toBe('InvalidAmount');
    expect(await refusal(late)).toBe('SignatureExpired');
    expect(await refusal(call, account(74))).toBe('InvalidSigner');
    expect(await refusal(call)).toBeUndefined();
    const cancel = {
      abi,
      functionName: 'invalidateUnorderedNonces',
      args: [0n, 1n << 3n],
    } as const;
    expect(await carry(cancel, holder)).toBe('success');
    expect(await refusal(call)).toBe('InvalidNonce');
  });

  it('may pay several, in one signature', async () => {
    const one = { token: usdc, amount: 10n };
    const permit = { permitted: [one, one], nonce: 256n, deadline: later };
    const signature = await signed('PermitBatchTransferFrom', permit);
    const details = [payee, spender.address].map((to) => ({ to, requestedAmount: 10n }));
    const args = [permit, details, holder.address, signature] as const;
    const before = await held(payee);
    expect(await carry({ abi, functionName: 'permitTransferFrom', args })).toBe('success');
    expect((await held(payee)) - before).toBe(10n);
  });

  it('may stand for something else that is signed with it', async () => {
    const permit = { permitted: { token: usdc, amount: 50n }, nonce: 5n, deadline: later };
    const witness = { number: 7n };
    const signature = await signed('PermitWitnessTransferFrom', { ...permit, witness });
    const hash = hashStruct({ data: witness, primaryType: 'Invoice', types });
    const words =
      'Invoice witness)Invoice(uint256 number)TokenPermissions(address token,uint256 amount)';
    const details = { to: payee, requestedAmount: 50n };
    const call = (what: Hex) => {
      const args = [permit, details, holder.address, what, words, signature] as const;
      return { abi, functionName: 'permitWitnessTransferFrom', args } as const;
    };
    expect(await refusal(call(zeroHash))).toBe('InvalidSigner');
    expect([await carry(call(hash)), await carry(call(hash))]).toEqual(['success', 'reverted']);
  });
});

describe('a payment of a smart account, which its owner signs for Permit2 (EIP-1271)', () => {
  const owner = account(75);
  const approved = encodeFunctionData({
    abi: erc20Abi,
    functionName: 'approve',
    args: [permit2, maxUint256],
  });
  /** An account with two USDC that has let Permit2 move them, or one that is not on the chain. */
  async function newAccount(salt: bigint, isOnChain = true): Promise<Address> {
    const address = chain.accountAddress(owner.address, salt);
    await mineAsFaucet(chain, [mintCall(usdc, { to: address, amount: 2_000_000n })]);
    const call = { to: usdc, value: 0n, data: approved };
    const operation = await signUserOperation(chain, { owner, salt, call, fees });
    if (isOnChain) {
      expect(await mineOperations(chain, [operation])).toMatchObject([{ success: true }]);
    }
    return address;
  }

  it('moves its USDC once, and a second use of its nonce is refused', async () => {
    const payer = await newAccount(0n);
    const before = await held(payee);
    const call = await payment({ nonce: 1n }, payer, owner);
    expect([await carry(call), await carry(call)]).toEqual(['success', 'reverted']);
    expect(await refusal(call)).toBe('InvalidNonce');
    expect([(await held(payee)) - before, await held(payer)]).toEqual([1_000_000n, 1_000_000n]);
    const moved = { token: usdc, from: payer, to: payee, counts: [1_000_000n] };
    expect(seen.at(-1)).toMatchObject(moved);
  });

  it('is refused where somebody else has signed it, or with other words than were signed', async () => {
    const payer = await newAccount(1n);
    const byHolder = await payment({ nonce: 1n }, payer, holder);
    expect(await refusal(byHolder)).toBe('InvalidContractSignature');
    const own = await payment({ nonce: 1n }, payer, owner);
    const [permit, details, of, signature] = own.args;
    const more = { ...permit, permitted: { token: usdc, amount: 2_000_000n } };
    const changed = { ...own, args: [more, details, of, signature] as const };
    expect(await refusal(changed)).toBe('InvalidContractSignature');
    expect(await refusal(own)).toBeUndefined();
  });

  it('is refused while the account is not on the chain, where nobody answers for it', async () => {
    const payer = await newAccount(3n, false);
    expect(await refusal(await payment({ nonce: 1n }, payer, owner))).toBe('InvalidSigner');
  });
});

describe('an allowance that a holder signs for Permit2', () => {
  it('is used up to its amount and its end, and its signature counts once', async () => {
    const until = Number(await nextTimestampS(chain)) + 3_600;
    const details = { token: usdc, amount: 100n, expiration: until, nonce: 0 };
    const single = { details, spender: spender.address, sigDeadline: later };
    const signature = await signed('PermitSingle', single);
    const args = [holder.address, single, signature] as const;
    const permit = { abi, functionName: 'permit', args } as const;
    const spend = (amount: bigint) => {
      const parts = [holder.address, payee, amount, usdc] as const;
      return { abi, functionName: 'transferFrom', args: parts } as const;
    };
    expect(await refusal(spend(1n))).toBe('AllowanceExpired');
    expect(await carry(permit)).toBe('success');
    expect(await refusal(permit)).toBe('InvalidNonce');
    expect(await carry(spend(60n))).toBe('success');
    expect(await refusal(spend(41n))).toBe('InsufficientAllowance');
    expect(await refusal(spend(40n))).toBeUndefined();
    await chain.mineBlock({ timestampS: until + 1, transactions: [] });
    expect(await refusal(spend(40n))).toBe('AllowanceExpired');
  });
});
