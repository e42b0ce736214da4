import { callOf } from '../src/orders/doing';
import type { ExecuteOrder, ExecuteReceipt } from '../src/orders/execute';
import { named } from './named';
import type { Carried } from './run';
import { runOrder } from './runOrder';
import { execute } from './steps/execute';

/** Calls any function of a contract with a wallet, and returns once that has settled. */
export async function executeContract(
  order: ExecuteOrder,
  carried?: Carried,
): Promise<ExecuteReceipt> {
  return runOrder({ kind: 'executeContract', order, carried }, async (run) => {
    const { contractAddress, abiFunctionSignature, feeLevel, ...rest } = run.opened.order;
    const { wallet } = named(run.opened, 'wallet');
    const settlement = await execute(run, {
      step: 'execute',
      doing: callOf(abiFunctionSignature, contractAddress),
      call: {
        ...{ contractAddress, abiFunctionSignature },
        ...{ abiParameters: rest.abiParameters, amount: rest.amount },
      },
      ...{ wallet, feeLevel },
    });
    return { ...settlement, contractAddress, abiFunctionSignature };
  });
}
