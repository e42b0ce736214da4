import { z } from 'zod';
import { functionOf, isOfType } from '../custody/callData';
import type { AbiParameter } from '../custody/endpoints';
import { address, amount, everyOrder, walletId } from './fields';
import { settlement } from './settlement';

const abiParameter: z.ZodType<AbiParameter, AbiParameter> = z.lazy(() =>
  z.union([z.string(), z.number(), z.boolean(), z.array(abiParameter)], {
    error: 'must be text, a number, true, false, or a list of these',
  }),
);

type Call = { abiFunctionSignature: string; abiParameters: AbiParameter[] };

/** Adds what keeps the parameters from being those of the function. */
function checkCall(call: Call, context: z.RefinementCtx): void {
  for (const { path, message } of callFaults(call)) {
    context.addIssue({ code: 'custom', path, message });
  }
}

type CallFault = { path: (string | number)[]; message: string };

const noFunction =
  'is not the signature of a function: give its name and types, such as "mintTo(address,uint256)"';

function callFaults({ abiFunctionSignature, abiParameters }: Call): CallFault[] {
  const abi = functionOf(abiFunctionSignature);
  if (abi === undefined) return [{ path: ['abiFunctionSignature'], message: noFunction }];
  const [wanted, given] = [abi.inputs.length, abiParameters.length];
  if (wanted !== given) {
    const message = `has ${given} values, but the function takes ${wanted}`;
    return [{ path: ['abiParameters'], message }];
  }
  return abi.inputs.flatMap((type, index) => {
    if (isOfType(type, abiParameters[index])) return [];
    return [{ path: ['abiParameters', index], message: `is no ${type.type}` }];
  });
}

/** Calls any function of a contract with a wallet. */
export const executeOrder = z
  .strictObject({
    walletId,
    contractAddress: address,
    abiFunctionSignature: z
      .string()
      .max(1_000)
      .meta({ examples: ['transfer(address,uint256)'] }),
    abiParameters: z
      .array(abiParameter)
      .max(200)
      .default([])
      .describe('Integers as decimal text, tuples as lists of their fields.'),
    amount: amount.optional().describe('In the native coin, sent along with the call.'),
    ...everyOrder,
  })
  .superRefine(checkCall);
export type ExecuteOrder = z.input<typeof executeOrder>;

export const executeReceipt = settlement.extend({
  contractAddress: z.string(),
  abiFunctionSignature: z.string(),
});
export type ExecuteReceipt = z.output<typeof executeReceipt>;
