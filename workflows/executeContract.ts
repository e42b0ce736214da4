import { callInWords } from '../src/orders/progress/doing';
import { workflowOf } from './order/runOrder';
import { execute } from './steps/execute';

/** Calls any function of a contract with a wallet, and returns once that has settled. */
export const executeContract = workflowOf('executeContract', async (live) => {
  const { wallet, order } = live.opened;
  const { contractAddress, abiFunctionSignature, abiParameters, amount, feeLevel } = order;
  const settlement = await execute(live, {
    step: 'execute',
    doing: callInWords(abiFunctionSignature, contractAddress),
    call: { contractAddress, abiFunctionSignature, abiParameters, amount },
    wallet,
    feeLevel,
  });
  return { ...settlement, contractAddress, abiFunctionSignature };
});
