import { encodeFunctionData, erc20Abi, getAddress, isAddress, maxUint256, zeroAddress } from 'viem';
import { isDecimal, toBaseUnits } from '../../custody/amount';
import { accept } from '../accept';
import { readBalance } from '../chain/token';
import { fault, refusal } from '../errors';
import { refuseGasLimit } from '../gas';
import { newTransaction, sender } from '../newTransaction';
import type { Hex, WalletRow } from '../records';
import type { Handlers, Service } from '../service';
import type { KnownToken } from '../tokens';
import { keyed } from './wallets';

type TransferInput = Parameters<Handlers<'createTransfer'>['createTransfer']>[0];

/** Transfers of the native coin and of ERC-20 tokens. */
export function transferHandlers(service: Service): Handlers<'createTransfer'> {
  const { engine, idempotent } = service;
  return {
    createTransfer: async (input, options) => {
      const answer = await idempotent(keyed('createTransfer', input, options), async () => {
        const row = await toRow(service, input);
        await refuseGasLimit(service, row);
        return {
          answer: { id: row.id, state: 'INITIATED' },
          save: () => accept(service, row, { side: 'wallets', fate: options?.fate }),
        };
      });
      engine.wake();
      return answer;
    },
  };
}

async function toRow(service: Service, input: TransferInput) {
  const from = sender(service, input);
  const to = destination(input.destinationAddress);
  const token = await tokenOf(service, input);
  const [amount = '', ...others] = input.amounts;
  if (others.length > 0 || !isDecimal(amount)) {
    throw refusal(155221, 'The amounts in the request are invalid');
  }
  const baseUnits = inBaseUnits(amount, token);
  await refuseEmptyWallet(service, from, token);
  const call =
    token.address === undefined
      ? { to, value: baseUnits.toString(), data: '0x' as const }
      : {
          to: token.address,
          value: '0',
          data: encodeFunctionData({
            abi: erc20Abi,
            functionName: 'transfer',
            args: [to, baseUnits],
          }),
        };
  return {
    ...newTransaction(from, input),
    call,
    operation: 'TRANSFER' as const,
    amounts: [amount],
    tokenId: token.id,
    destinationAddress: to,
  };
}

function destination(address: string): Hex {
  if (!isAddress(address) || getAddress(address) === zeroAddress) {
    throw refusal(155219, 'The destination address is invalid');
  }
  return getAddress(address);
}

async function tokenOf(service: Service, input: TransferInput): Promise<KnownToken> {
  const { tokenId, tokenAddress } = input;
  if (tokenId !== undefined && tokenAddress !== undefined) {
    throw refusal(155228, 'Give either tokenId or tokenAddress');
  }
  if (tokenId === undefined && tokenAddress === undefined) {
    throw refusal(155228, 'Either tokenId or tokenAddress is required');
  }
  const token =
    tokenId === undefined
      ? await service.tokens.byAddress(tokenAddress ?? '')
      : service.tokens.byId(tokenId);
  if (token === undefined) throw fault('noToken');
  return token;
}

function inBaseUnits(amount: string, token: KnownToken): bigint {
  try {
    const baseUnits = toBaseUnits(amount, token.decimals);
    if (baseUnits > 0n && baseUnits <= maxUint256) return baseUnits;
  } catch {
    // More decimals than the token has: refused below, like what no chain can count.
  }
  throw refusal(155221, 'The amounts in the request are invalid');
}

/** A wallet that holds nothing of the token is told at once; one that holds too little later. */
async function refuseEmptyWallet(
  service: Service,
  from: WalletRow,
  token: KnownToken,
): Promise<void> {
  const { client } = service.chain;
  const held =
    token.address === undefined
      ? await client.getBalance({ address: from.address })
      : await readBalance(client, { token: token.address, owner: from.address });
  if (held === 0n) {
    throw refusal(
      155258,
      'The asset amount owned by the wallet is insufficient for the transaction',
    );
  }
}
