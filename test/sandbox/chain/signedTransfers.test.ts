import {
  type Address,
  concat,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  parseAbi,
  parseEther,
  parseSignature,
  toHex,
  zeroHash,
} from 'viem';
import type { LocalAccount } from 'viem/accounts';
import { signUserOperation } from '../../../sandbox/chain/account/userOperation';
import type { Chain } from '../../../sandbox/chain/chain';
import { readBalance } from '../../../sandbox/chain/token';
import { signTransaction } from '../../../sandbox/chain/transaction';
import {
  account,
  fees,
  mineAsFaucet,
  mineOperations,
  mintCall,
  nextTimestampS,
  startTestChain,
  transferCall,
} from './testChain';

const abi = parseAbi([
  'function DOMAIN_SEPARATOR() view returns (bytes32)',
  'function nonces(address owner) view returns (uint256)',
  'function authorizationState(address authorizer, bytes32 nonce) view returns (bool)',
  'function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, bytes signature)',
  'function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)',
  'function receiveWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, bytes signature)',
  'function receiveWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)',
  'function cancelAuthorization(address authorizer, bytes32 nonce, bytes signature)',
  'function cancelAuthorization(address authorizer, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)',
  'function permit(address owner, address spender, uint256 value, uint256 deadline, bytes signature)',
]);

const authorization = [
  { name: 'from', type: 'address' },
  { name: 'to', type: 'address' },
  { name: 'value', type: 'uint256' },
  { name: 'validAfter', type: 'uint256' },
  { name: 'validBefore', type: 'uint256' },
  { name: 'nonce', type: 'bytes32' },
] as const;
const types = {
  TransferWithAuthorization: authorization,
  ReceiveWithAuthorization: authorization,
  CancelAuthorization: [
    { name: 'authorizer', type: 'address' },
    { name: 'nonce', type: 'bytes32' },
  ],
  Permit: [
    { name: 'owner', type: 'address' },
    { name: 'spender', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'nonce', type: 'uint256' },
    { name: 'deadline', type: 'uint256' },
  ],
} as const;

const holder = account(81);
const carrier = account(82);
const payee = account(83);
const always = 2n ** 48n;
const used = 'FiatTokenV2: authorization is used or canceled';

let chain: Chain;
let usdc: Address;
beforeAll(async () => {
  chain = await startTestChain();
  usdc = chain.contracts.usdc;
  await mineAsFaucet(
    chain,
    [holder, carrier, payee].map(({ address }) =>
      mintCall(usdc, { to: address, amount: 10_000_000n }),
    ),
  );
});

type Message = {
  from: Address;
  to: Address;
  value: bigint;
  validAfter: bigint;
  validBefore: bigint;
  nonce: Hex;
};
type Kind = 'TransferWithAuthorization' | 'ReceiveWithAuthorization';

let count = 0;
/** A payment of 5 base units that nobody has signed yet. */
function payment(fields: Partial<Message> = {}): Message {
  count += 1;
  return {
    from: holder.address,
    to: payee.address,
    value: 5n,
    validAfter: 0n,
    validBefore: always,
    nonce: `0x${count.toString(16).padStart(64, '0')}`,
    ...fields,
  };
}

const domain = () =>
  ({ name: 'USDC', version: '2', chainId: chain.chainId, verifyingContract: usdc }) as const;

const sign = (
  message: Message,
  options: { kind?: Kind; by?: LocalAccount; version?: string } = {},
) => {
  const { kind = 'TransferWithAuthorization', by = holder, version = '2' } = options;
  return by.signTypedData({
    domain: { ...domain(), version },
    types,
    primaryType: kind,
    message,
  });
};

const fields = ({ from, to, value, validAfter, validBefore, nonce }: Message) =>
  [from, to, value, validAfter, validBefore, nonce] as const;

/** Both forms that a signature has in the calls. */
const forms = [
  ['as bytes', (signature: Hex) => [signature] as const],
  [
    'in three parts',
    (signature: Hex) => {
      const { r, s, v = 27n } = parseSignature(signature);
      return [Number(v), r, s] as const;
    },
  ],
] as const;

type Name =
  | 'transferWithAuthorization'
  | 'receiveWithAuthorization'
  | 'cancelAuthorization'
  | 'permit';

const dataOf = (functionName: Name, args: readonly unknown[]): Hex =>
  encodeFunctionData({ abi, functionName, args } as never);

/** Mines a call of USDC, which must succeed. */
async function carryOut(data: Hex, by: LocalAccount = carrier): Promise<void> {
  const nonce = await chain.client.getTransactionCount({ address: by.address });
  const call = { to: usdc, value: 0n, data };
  const signed = await signTransaction(chain, { account: by, call, nonce, gas: 300_000n, fees });
  const timestampS = await nextTimestampS(chain);
  const { results } = await chain.mineBlock({ timestampS, transactions: [signed.transaction] });
  expect(results).toMatchObject([{ included: true, receipt: { status: 'success' } }]);
}

/** The chain's answer to a call of USDC that nobody mines. */
const attempt = (data: Hex, by: LocalAccount = carrier) =>
  chain.client.call({ account: by.address, to: usdc, data });

const held = ({ address }: Pick<LocalAccount, 'address'>) =>
  readBalance(chain.client, { token: usdc, owner: address });

it('USDC has the domain of Arc testnet', async () => {
  const separator = await chain.client.readContract({
    address: usdc,
    abi,
    functionName: 'DOMAIN_SEPARATOR',
  });
  expect(separator).toBe('0x361191522483d32a83e70ae7183b4b9629442c13a78bc9921d6f707911c8c6b0');
});

describe.each(forms)('a payment that is signed, with its signature %s', (_form, formOf) => {
  const transfer = (message: Message, signature: Hex) =>
    dataOf('transferWithAuthorization', [...fields(message), ...formOf(signature)]);

  it('is carried out by anybody, once, at the fee of who does it', async () => {
    const [from, to] = [await chain.client.getBalance(holder), await held(payee)];
    const message = payment();
    const data = transfer(message, await sign(message));
    await carryOut(data);
    expect(await chain.client.getBalance(holder)).toBe(from - parseEther('0.000005'));
    expect(await held(payee)).toBe(to + 5n);
    await expect(attempt(data)).rejects.toThrow(used);
  });

  it('is carried out in its time alone', async () => {
    const late = payment({ validBefore: 1n });
    const early = payment({ validAfter: always });
    await expect(attempt(transfer(late, await sign(late)))).rejects.toThrow(
      'FiatTokenV2: authorization is expired',
    );
    await expect(attempt(transfer(early, await sign(early)))).rejects.toThrow(
      'FiatTokenV2: authorization is not yet valid',
    );
  });

  it('is carried out as it was signed, for this coin and by its holder', async () => {
    const message = payment();
    const forged = await Promise.all([
      sign(message, { version: '1' }),
      sign(message, { by: carrier }),
      sign(message, { kind: 'ReceiveWithAuthorization' }),
      sign({ ...message, value: 4n }),
    ]);
    for (const signature of forged) {
      await expect(attempt(transfer(message, signature))).rejects.toThrow(
        'FiatTokenV2: invalid signature',
      );
    }
  });

  it('is carried out by its payee alone, where it is signed so', async () => {
    const message = payment();
    const signature = await sign(message, { kind: 'ReceiveWithAuthorization' });
    const args = [...fields(message), ...formOf(signature)];
    const data = dataOf('receiveWithAuthorization', args);
    await expect(attempt(data)).rejects.toThrow('FiatTokenV2: caller must be the payee');
    await carryOut(data, payee);
    await expect(attempt(data, payee)).rejects.toThrow(used);
  });

  it('can be cancelled by its holder, and only then is never carried out', async () => {
    const message = payment();
    const { nonce } = message;
    const cancellation = (by: LocalAccount) =>
      by.signTypedData({
        domain: domain(),
        types,
        primaryType: 'CancelAuthorization',
        message: { authorizer: holder.address, nonce },
      });
    const cancel = async (by: LocalAccount) =>
      dataOf('cancelAuthorization', [holder.address, nonce, ...formOf(await cancellation(by))]);
    await expect(attempt(await cancel(carrier))).rejects.toThrow('FiatTokenV2: invalid signature');
    const data = transfer(message, await sign(message));
    await expect(attempt(data)).resolves.toBeDefined();
    await carryOut(await cancel(holder));
    await expect(attempt(data)).rejects.toThrow(used);
    await expect(attempt(await cancel(holder))).rejects.toThrow(used);
  });
});

it('a smart account pays by the signature of its owner', async () => {
  const [owner, salt] = [account(84), 0n];
  const address = chain.accountAddress(owner.address, salt);
  await mineAsFaucet(chain, [mintCall(usdc, { to: address, amount: 100n })]);
  const call = transferCall(usdc, { to: payee.address, amount: 1n });
  await mineOperations(chain, [await signUserOperation(chain, { owner, salt, call, fees })]);
  const message = payment({ from: address });
  const by = async (signer: LocalAccount) =>
    dataOf('transferWithAuthorization', [...fields(message), await sign(message, { by: signer })]);
  await expect(attempt(await by(holder))).rejects.toThrow('FiatTokenV2: invalid signature');
  await carryOut(await by(owner));
  expect(await held({ address })).toBe(94n);
});

it('a signature that no key can have made is refused by the part that is wrong', async () => {
  const message = payment();
  const { r, s, v = 27n } = parseSignature(await sign(message));
  const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
  const high = toHex(order - BigInt(s), { size: 32 });
  const bytes = (parts: { v?: bigint; r?: Hex; s?: Hex }) =>
    concat([parts.r ?? r, parts.s ?? s, toHex(parts.v ?? v, { size: 1 })]);
  const faulty: [Hex, string][] = [
    ['0x', 'ECRecover: invalid signature length'],
    [concat([bytes({}), '0x00']), 'ECRecover: invalid signature length'],
    [bytes({ s: high, v: 55n - v }), "ECRecover: invalid signature 's' value"],
    [bytes({ s: high, v: 1n }), "ECRecover: invalid signature 's' value"],
    [bytes({ v: v - 27n }), "ECRecover: invalid signature 'v' value"],
    [bytes({ r: zeroHash }), 'ECRecover: invalid signature'],
  ];
  for (const [signature, words] of faulty) {
    const data = dataOf('transferWithAuthorization', [...fields(message), signature]);
    await expect(attempt(data)).rejects.toThrow(`reason: ${words}.`);
  }
});

it('an account with code is asked itself, and its key alone signs nothing', async () => {
  const owner = account(85);
  await mineAsFaucet(chain, [mintCall(usdc, { to: owner.address, amount: 100n })]);
  const message = payment({ from: owner.address });
  const signature = await sign(message, { by: owner });
  const data = dataOf('transferWithAuthorization', [...fields(message), signature]);
  await expect(attempt(data)).resolves.toBeDefined();
  // It takes every call, and answers with nothing.
  await chain.ask([{ method: 'anvil_setCode', params: [owner.address, '0x00'] }]);
  await expect(attempt(data)).rejects.toThrow('FiatTokenV2: invalid signature');
});

it('a permit as bytes gives an allowance once', async () => {
  const nonce = await chain.client.readContract({
    address: usdc,
    abi,
    functionName: 'nonces',
    args: [holder.address],
  });
  const spender = carrier.address;
  const message = { owner: holder.address, spender, value: 12n, nonce, deadline: always };
  const signature = await holder.signTypedData({
    domain: domain(),
    types,
    primaryType: 'Permit',
    message,
  });
  const data = dataOf('permit', [holder.address, spender, 12n, always, signature]);
  await carryOut(data);
  const allowance = { address: usdc, abi: erc20Abi, functionName: 'allowance' } as const;
  const args = [holder.address, spender] as const;
  expect(await chain.client.readContract({ ...allowance, args })).toBe(12n);
  await expect(attempt(data)).rejects.toThrow('EIP2612: invalid signature');
  const late = dataOf('permit', [holder.address, spender, 12n, 1n, signature]);
  await expect(attempt(late)).rejects.toThrow('FiatTokenV2: permit is expired');
});
