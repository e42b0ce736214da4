import { z } from 'zod';
import { functionOf } from '../custody/abi/functionOf';
import { isOfType } from '../custody/abi/parameters';
import type { AbiParameter } from '../custody/endpoints';
import { abiParameter } from '../custody/endpoints/endpoint';
import { address, addressFault, amount, checkDecimals, everyOrder, walletId } from './input/fields';
import { settlement } from './input/settlement';
import { brief, defineKind } from './kind';
import { callInWords } from './progress/doing';

type Call = {
  abiFunctionSignature: string;
  abiParameters: AbiParameter[];
  amount?: string | undefined;
};

/** Adds the faults of parameters that do not fit the function, and of an amount without coins. */
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

/** Example of each type's value in JSON. */
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
const executeOrder = z
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
      .describe('Integers as decimal text, tuples as lists of their fields. None unless given.'),
    amount: amount.optional().describe('In the native coin, sent along with the call.'),
    ...everyOrder,
  })
  .superRefine(checkCall);

const executeReceipt = settlement.extend({
  contractAddress: z.string(),
  abiFunctionSignature: z.string(),
});

export const executeContract = defineKind({
  order: executeOrder,
  receipt: executeReceipt,
  idWord: 'execute',
  does: 'calls any function of a contract',
  example: {
    walletId: '0c3f3d3e-1111-4222-8333-4444aaaa6666',
    contractAddress: '0x89B50855Aa3bE2F677cD6303Cec089B5F319D72a',
    abiFunctionSignature: 'transfer(address,uint256)',
    abiParameters: ['0x523b27014BA9331e4a6c1bD7BC3b2b9F3B2BEC7d', '5'],
  },
  sentence: ({ abiFunctionSignature, contractAddress }) =>
    `Call ${abiFunctionSignature} of ${brief(contractAddress)}`,
  writes: ({ contractAddress, abiFunctionSignature, abiParameters, amount }, { wallet: from }) => {
    const doing = callInWords(abiFunctionSignature, contractAddress);
    const call = { contractAddress, abiFunctionSignature, abiParameters, amount };
    return [{ path: 'execute/1', doing, makes: 'call', from, call }];
  },
});
