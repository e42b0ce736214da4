import { type AbiEvent, parseAbiItem, toEventHash, toEventSignature } from 'viem';
import { fault } from '../../errors/errors';
import type { ContractRow } from '../../store/records/contractRecord';
import type { Hex } from '../../store/records/records';
import { abiOf } from './contractAbi';

/**
 * The hash of an event's signature, by which its logs are known. Refuses (175303) what is not in
 * the canonical form, such as `Transfer(address,address,uint256)`, and what the contract's
 * interface, where it is known, does not have.
 */
export function eventHash(contract: ContractRow, signature: string): Hex {
  const event = eventOf(signature);
  if (event === undefined || toEventSignature(event) !== signature) {
    const form = 'a name and types without spaces, such as Transfer(address,address,uint256)';
    throw fault('noEvent', 'contracts', `${signature} is not ${form}`);
  }
  const abi = abiOf(contract);
  const isThere = abi?.some(
    (item) => item.type === 'event' && !item.anonymous && toEventSignature(item) === signature,
  );
  if (isThere === false) throw fault('noEvent', 'contracts', signature);
  return toEventHash(event);
}

function eventOf(signature: string): AbiEvent | undefined {
  try {
    const item = parseAbiItem(`event ${signature}`);
    return item.type === 'event' ? item : undefined;
  } catch {
    return undefined;
  }
}
