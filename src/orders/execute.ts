import { z } from 'zod';
import { functionOf, isOfType } from '../custody/callData';
import type { AbiParameter } from '../custody/endpoints';
import { address, addressFault, amount, checkDecimals, everyOrder, walletId } from './fields';
import { settlement } from './settlement';

const abiParameter: z.ZodType<AbiParameter, AbiParameter> = z.lazy(() =>
  z.union([z.string(), z.number(), z.boolean(), z.array(abiParameter)], {
    error: 'must be text, a number, true, false, or a list of these',
  }),
);

type Call = {
  abiFunctionSignature: string;
  abiParameters: AbiParameter[];
  amount?: string | undefined;
};

/** Adds what keeps the parameters from being those of the function, or the amount from being coins. */
function checkCall(call: Call, context: z.RefinementCtx): void {
  const { amount } = call;
  if (amount !== undefined) checkDecimals({ amount, token: 'native' }, context);
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
    const message = `has ${given} value${given === 1 ? '' : 's'}, but the function takes ${wanted}`;
    return [{ path: ['abiParameters'], message }];
  }
  return abi.inputs.flatMap((type, index) => {
    const value = abiParameters[index];
    if (isOfType(type, value)) return [];
    return [{ path: ['abiParameters', index], message: valueFault(type.type, value) }];
  });
}

/** What a value of each type looks like in JSON. */
const examples: readonly [type: RegExp, example: string][] = [
  [/]$/, 'give a list of them'],
  [/^tuple/, 'give the list of its fields'],
  [/^uint/, 'give a whole number as text, such as "5"'],
  [/^int/, 'give a whole number as text, such as "-5"'],
  [/^bool/, 'give true or false'],
  [/^bytes/, 'give 0x and its bytes, two hexadecimal digits each'],
  [/^string/, 'give text, in quotes'],
];

function valueFault(type: string, value: AbiParameter | undefined): string {
  if (type === 'address' && typeof value === 'string') return addressFault(value);
  const [, example = 'give 0x and 40 hexadecimal digits'] =
    examples.find(([form]) => form.test(type)) ?? [];
  return `does not fit the type ${type}: ${example}`;
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
