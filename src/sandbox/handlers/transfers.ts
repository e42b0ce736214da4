import { getAddress, isAddress, zeroAddress } from 'viem';
import { accept } from '../accept';
import { fault, refusal } from '../errors';
import { refuseGasLimit } from '../gas';
import { newTransaction, sender } from '../newTransaction';
import type { Hex } from '../records';
import type { Handlers, Service } from '../service';
import type { KnownToken } from '../tokens';
import { transferCall } from '../transferCall';
import { keyed } from './wallets';

type TransferInput = Parameters<Handlers<'createTransfer'>['createTransfer']>[0];

/** Transfers of the native coin and of tokens of all three standards. */
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
  const { amounts, nftTokenIds = [] } = input;
  const call = await transferCall(service, { token, from: from.address, to, amounts, nftTokenIds });
  return {
    ...newTransaction(from, input),
    call,
    operation: 'TRANSFER' as const,
    amounts,
    ...(nftTokenIds.length === 0 ? {} : { nftTokenIds }),
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
