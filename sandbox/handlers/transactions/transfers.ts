import { getAddress, zeroAddress } from 'viem';
import type { Input } from '../../../src/custody/endpoints';
import { fault, found } from '../../errors/errors';
import type { Hex } from '../../store/records/records';
import type { SandboxToken } from '../../store/records/tokenRecord';
import { isValidAddress } from '../address';
import type { SandboxApi, Service } from '../service';
import { requireTokenAddress } from '../wallets/tokensAsked';
import { keyed } from '../wallets/wallets';
import { acceptOnce, initiated } from './accept';
import { newTransaction, senderWallet } from './newTransaction';
import { type TokenMovement, transferCall } from './transferCall';

type TransferInput = Input<'createTransfer'>;

/** Transfers of the native coin and of tokens of all three standards. */
export function transferHandlers(service: Service) {
  return {
    createTransfer: (input, options) =>
      acceptOnce(service, keyed('createTransfer', input, options), async () =>
        initiated(await toRow(service, input)),
      ),
  } satisfies Partial<SandboxApi>;
}

async function toRow(service: Service, input: TransferInput) {
  const from = senderWallet(service, input);
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
  | 'destinationAddress'
  | 'tokenId'
  | 'tokenAddress'
  | 'walletId'
  | 'blockchain'
  | 'amounts'
  | 'nftTokenIds'
>;

/** The movement of a transfer, or of a transfer's estimate. */
export async function movementOf(
  service: Service,
  input: MovementInput,
  from: Hex,
): Promise<TokenMovement> {
  const to = destination(input.destinationAddress);
  const token = await tokenOf(service, input);
  const { amounts, nftTokenIds = [] } = input;
  return { token, from, to, amounts, nftTokenIds };
}

function destination(address: string): Hex {
  if (!isValidAddress(address) || getAddress(address) === zeroAddress) {
    throw fault('destinationInvalid');
  }
  return getAddress(address);
}

async function tokenOf(service: Service, input: MovementInput): Promise<SandboxToken> {
  const { tokenId, tokenAddress, walletId, blockchain } = input;
  if (tokenId !== undefined && tokenAddress !== undefined) {
    throw fault('noTokenId', 'wallets', 'give either tokenId or tokenAddress, not both');
  }
  // With a chain, no token is the coin of that: so the vendor's EVM provider and others have it.
  const isCoin = blockchain !== undefined || walletId === undefined;
  if (tokenId === undefined && tokenAddress === undefined && !isCoin) {
    throw fault('noTokenId', 'wallets', 'either tokenId or tokenAddress is required');
  }
  requireTokenAddress(tokenAddress ?? '');
  const { tokens } = service;
  const token =
    tokenId === undefined ? await tokens.byAddress(tokenAddress ?? '') : tokens.byId(tokenId);
  return found(token, 'noToken');
}
