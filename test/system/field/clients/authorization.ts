import { encodeFunctionData, type Hex, parseAbi, parseSignature, toHex } from 'viem';
import type { CustodyApi } from '../../../../src/custody/endpoints';
import type { Wallet } from '../../../../src/custody/objects/wallet';
import { usdc } from '../../../support/sandbox';

/** A payment that its payer has signed, and that anybody can carry out (EIP-3009). */
export type Authorization = {
  from: string;
  to: string;
  value: string;
  validAfter: string;
  validBefore: string;
  nonce: Hex;
};

/** The domain that clients sign USDC of Arc testnet for. */
export const usdcDomain = {
  name: 'USDC',
  version: '2',
  chainId: 5_042_002,
  verifyingContract: usdc as string,
};

const always = '4102444800';
const fields = [
  { name: 'from', type: 'address' },
  { name: 'to', type: 'address' },
  { name: 'value', type: 'uint256' },
  { name: 'validAfter', type: 'uint256' },
  { name: 'validBefore', type: 'uint256' },
  { name: 'nonce', type: 'bytes32' },
];
const types = {
  EIP712Domain: [
    { name: 'name', type: 'string' },
    { name: 'version', type: 'string' },
    { name: 'chainId', type: 'uint256' },
    { name: 'verifyingContract', type: 'address' },
  ],
  TransferWithAuthorization: fields,
};

/** A payment of 2.5 USDC at any time, under a nonce of its own, unless the fields change that. */
export function authorizationOf(
  from: Pick<Wallet, 'address'>,
  to: Pick<Wallet, 'address'>,
  change: Partial<Authorization> = {},
): Authorization {
  const nonce = toHex(crypto.getRandomValues(new Uint8Array(32)));
  const times = { validAfter: '0', validBefore: always };
  return { from: from.address, to: to.address, value: '2500000', ...times, nonce, ...change };
}

/** The signature of a wallet, as clients ask the service for it. */
export async function signedBy(
  client: CustodyApi,
  { id }: Wallet,
  { message, domain = usdcDomain }: { message: Authorization; domain?: object },
): Promise<Hex> {
  const data = JSON.stringify({
    types,
    primaryType: 'TransferWithAuthorization',
    domain,
    message,
  });
  const { signature } = await client.signTypedData({ walletId: id, data });
  return `0x${signature.slice(2)}`;
}

const inBytes =
  'transferWithAuthorization(address,address,uint256,uint256,uint256,bytes32,bytes)' as const;
const inParts =
  'transferWithAuthorization(address,address,uint256,uint256,uint256,bytes32,uint8,bytes32,bytes32)' as const;

const valuesOf = ({ from, to, value, validAfter, validBefore, nonce }: Authorization) => [
  from,
  to,
  value,
  validAfter,
  validBefore,
  nonce,
];

/** The call that carries it out, as a request names it. */
export function callOf(message: Authorization, signature: Hex) {
  return { abiFunctionSignature: inBytes, abiParameters: [...valuesOf(message), signature] };
}

/** The same call in the form of v, r and s, as an account of its own sends it. */
export function dataOf(message: Authorization, signature: Hex): Hex {
  const { v = 0n, r, s } = parseSignature(signature);
  const abi = parseAbi([`function ${inParts}`]);
  const args = [...valuesOf(message), Number(v), r, s];
  return encodeFunctionData({ abi, args: args as never });
}
