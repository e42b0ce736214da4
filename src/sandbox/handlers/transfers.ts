import { getAddress, isAddress, zeroAddress } from 'viem';
import { fault, refusal } from '../errors';
import type { Handlers, Service } from '../service';
import type { Hex } from '../store/records';
import type { KnownToken } from '../tokens';
import { accept } from './accept';
import { refuseGasLimit } from './gas';
import { newTransaction, sender } from './newTransaction';
import { type Movement, transferCall } from './transferCall';
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
  const movement = await movementOf(service, input, from.address);
  const { token, to, amounts, nftTokenIds } = movement;
  const call = await transferCall(service, movement);
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

type MovementInput = Pick<
  TransferInput,
  'destinationAddress' | 'tokenId' | 'tokenAddress' | 'walletId' | 'amounts' | 'nftTokenIds'
>;

/** What a transfer, or the estimate of one, is to move. */
export async function movementOf(
  service: Service,
  input: MovementInput,
  from: Hex,
): Promise<Movement> {
  const to = destination(input.destinationAddress);
  const token = await tokenOf(service, input);
  const { amounts, nftTokenIds = [] } = input;
  return { token, from, to, amounts, nftTokenIds };
}

function destination(address: string): Hex {
  if (!isAddress(address) || getAddress(address) === zeroAddress) {
    throw refusal(155219, 'Invalid destination address.');
  }
  return getAddress(address);
}

async function tokenOf(service: Service, input: MovementInput): Promise<KnownToken> {
  const { tokenId, tokenAddress, walletId } = input;
  if (tokenId !== undefined && tokenAddress !== undefined) {
    throw refusal(155228, 'Missing token ID: give either tokenId or tokenAddress, not both');
  }
  // From an address and its chain, no token is the coin of that: so the vendor's EVM provider has it.
  if (tokenId === undefined && tokenAddress === undefined && walletId !== undefined) {
    throw refusal(155228, 'Missing token ID: either tokenId or tokenAddress is required');
  }
  if (tokenAddress && !isAddress(tokenAddress, { strict: false })) {
    throw refusal(155239, 'Invalid token address for transfer.');
  }
  const token =
    tokenId === undefined
      ? await service.tokens.byAddress(tokenAddress ?? '')
      : service.tokens.byId(tokenId);
  if (token === undefined) throw fault('noToken');
  return token;
}
