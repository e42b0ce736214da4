import type { ExecuteOrder, ExecuteReceipt } from '../src/orders/execute';
import { callOf } from '../src/orders/progress/doing';
import type { Carried } from './order/liveOrder';
import { named } from './order/named';
import { runOrder } from './order/runOrder';
import { execute } from './steps/execute';

/** Calls any function of a contract with a wallet, and returns once that has settled. */
export async function executeContract(
  order: ExecuteOrder,
  carried?: Carried,
): Promise<ExecuteReceipt> {
  return runOrder({ kind: 'executeContract', order, carried }, async (live) => {
    const { contractAddress, abiFunctionSignature, feeLevel, ...rest } = live.opened.order;
    const { wallet } = named(live.opened, 'wallet');
    const settlement = await execute(live, {
      step: 'execute',
      doing: callOf(abiFunctionSignature, contractAddress),
      call: {
        contractAddress,
        abiFunctionSignature,
        abiParameters: rest.abiParameters,
        amount: rest.amount,
      },
      wallet,
      feeLevel,
    });
    return { ...settlement, contractAddress, abiFunctionSignature };
  });
}
