import { encodeFunctionData, erc20Abi, erc721Abi, isAddressEqual, maxUint256 } from 'viem';
import { isDecimal, toBaseUnits } from '../../../src/custody/objects/amount';
import { erc1155Abi } from '../../chain/item';
import { isReadFault } from '../../chain/node/nodeFault';
import { fault, found } from '../../errors/errors';
import type { Hex, PlannedCall } from '../../store/records/records';
import type { SandboxToken } from '../../store/records/tokenRecord';
import type { Service } from '../service';
import { readHeld } from '../wallets/balances';

/** A movement of a token as the request describes it. */
export type TokenMovement = {
  token: SandboxToken;
  from: Hex;
  to: Hex;
  amounts: string[];
  nftTokenIds: string[];
};

/**
 * The call that carries a transfer out. Refuses amounts and ids that the token's standard does not
 * know, and a sender who holds nothing of it. A sender who holds too little is told later.
 */
export function transferCall(service: Service, movement: TokenMovement): Promise<PlannedCall> {
  const { token, nftTokenIds } = movement;
  if (token.standard === 'ERC721') return itemCall(service, movement);
  if (token.standard === 'ERC1155') return multiTokenCall(service, movement);
  if (nftTokenIds.length > 0) throw fault('itemCountInvalid');
  return coinCall(service, movement);
}

async function coinCall(service: Service, movement: TokenMovement): Promise<PlannedCall> {
  const { token, from, to } = movement;
  const [amount = '', ...others] = movement.amounts;
  if (others.length > 0) throw fault('amountsInvalid');
  const baseUnits = inBaseUnits(amount, token.decimals);
  const { address } = token;
  requireSome(await readHeld(service, token, from));
  if (address === undefined) return { to, value: baseUnits.toString(), data: '0x' };
  const args = [to, baseUnits] as const;
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args });
  return { to: address, value: '0', data };
}

async function itemCall({ chain }: Service, movement: TokenMovement): Promise<PlannedCall> {
  const { from, to, amounts } = movement;
  const [id, ...others] = itemIds(movement);
  if (id === undefined || others.length > 0) throw fault('itemCountInvalid');
  if (amounts.length !== 1 || amounts[0] !== '1') throw fault('itemCountInvalid');
  const address = found(movement.token.address, 'noToken');
  const owner = await chain.client
    .readContract({ address, abi: erc721Abi, functionName: 'ownerOf', args: [id] })
    .catch((error: unknown) => {
      // A revert means that the id was never minted. A fault of the node may pass.
      throw isReadFault(error) ? error : fault('noItem');
    });
  if (!isAddressEqual(owner, from)) throw fault('notOwner');
  const args = [from, to, id] as const;
  const data = encodeFunctionData({ abi: erc721Abi, functionName: 'safeTransferFrom', args });
  return { to: address, value: '0', data };
}

async function multiTokenCall({ chain }: Service, movement: TokenMovement): Promise<PlannedCall> {
  const { from, to } = movement;
  const ids = itemIds(movement);
  if (ids.length !== movement.amounts.length) throw fault('lengthsDiffer');
  const amounts = movement.amounts.map((amount) => inBaseUnits(amount, 0));
  const address = found(movement.token.address, 'noToken');
  const held = await Promise.all(
    ids.map((id) => {
      const args = [from, id] as const;
      const call = { address, abi: erc1155Abi, functionName: 'balanceOf', args } as const;
      return chain.client.readContract(call);
    }),
  );
  for (const amount of held) requireSome(amount);
  const [id = 0n, ...others] = ids;
  const [amount = 0n] = amounts;
  const data =
    others.length === 0
      ? encodeFunctionData({
          abi: erc1155Abi,
          functionName: 'safeTransferFrom',
          args: [from, to, id, amount, '0x'],
        })
      : encodeFunctionData({
          abi: erc1155Abi,
          functionName: 'safeBatchTransferFrom',
          args: [from, to, ids, amounts, '0x'],
        });
  return { to: address, value: '0', data };
}

/** Ids are decimals, as the service lists them. */
function itemIds({ nftTokenIds }: TokenMovement): bigint[] {
  if (nftTokenIds.length === 0) throw fault('itemCountInvalid');
  return nftTokenIds.map((text) => {
    const id = /^\d{1,78}$/.test(text) ? BigInt(text) : maxUint256 + 1n;
    if (id > maxUint256) throw fault('noItem');
    return id;
  });
}

function inBaseUnits(amount: string, decimals: number): bigint {
  // A negative number is a decimal too. It is refused below.
  if (!isDecimal(amount.replace(/^-/, ''))) {
    throw fault('notDecimal');
  }
  try {
    const baseUnits = toBaseUnits(amount, decimals);
    if (baseUnits > 0n && baseUnits <= maxUint256) return baseUnits;
  } catch {
    // More decimals than the token has: refused below, like what no chain can count.
  }
  throw fault('amountsInvalid');
}

function requireSome(held: bigint): void {
  if (held === 0n) throw fault('holdsTooLittle');
}
