import { bundleGas } from '../../chain/account/bundle';
import {
  estimateUserOperation,
  type UserOperationEstimate,
} from '../../chain/account/userOperation';
import type { WalletCall } from '../../chain/estimateCall';
import { requireFit } from '../../chain/node/gasLimits';
import { estimateTransaction } from '../../chain/transaction';
import { operationGas } from '../../engine/broadcast/fees';
import { accountSalt } from '../../engine/keys';
import type { Hex, WalletRow } from '../../store/records/records';
import type { Service } from '../service';

/** A sender: any address, and the wallet that has this address, if there is one. */
export type GasSender = { address: Hex; wallet: WalletRow | undefined };

/** The gas that a call is charged for, and the limits of a smart account's operation. */
type GasNeeded = { gas: bigint; limits?: UserOperationEstimate };

/**
 * The gas of a call as it would be signed now, as a transaction or as a smart account's operation.
 * Throws the chain's reason against the call, also where no transaction can hold it.
 */
export async function gasNeeded(
  { chain, keys }: Service,
  { address, wallet }: GasSender,
  call: WalletCall,
): Promise<GasNeeded> {
  if (wallet?.accountType !== 'SCA') {
    const gas = await estimateTransaction(chain, { from: address, call });
    requireFit(gas);
    return { gas };
  }
  const account = { owner: keys.owner(wallet).address, salt: accountSalt };
  const { deployed: isDeployed } = wallet;
  const limits = await estimateUserOperation(chain, { ...account, call, isDeployed });
  // The bundle around it must fit too.
  requireFit(
    bundleGas([{ ...limits, callData: call.data, initCode: '0x', paymasterAndData: '0x' }]),
  );
  return { gas: operationGas(limits), limits };
}
