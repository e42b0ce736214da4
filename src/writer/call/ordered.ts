import { z } from 'zod';
import { toBaseUnits } from '../../custody/objects/amount';
import type { PolicyTokens } from './callEffects';
import type { PayingWallet } from './effects';
import type { JudgedCall } from './shapes';

/** A repetition is sent with it, since the fee was reserved for it. */
const gasLimit = z.string().optional();

const execution = z.object({
  kind: z.literal('execution'),
  walletId: z.string(),
  contractAddress: z.string(),
  abiFunctionSignature: z.string(),
  abiParameters: z.array(z.unknown()),
  /** The native coin that goes along, in whole coins. */
  amount: z.string(),
  gasLimit,
});

/** A transaction as it was ordered. The ledger keeps it, so that no record is believed about it. */
export const orderedCall = z.object({
  sender: z.string(),
  does: z.union([
    z.object({
      kind: z.literal('transfer'),
      tokenAddress: z.string(),
      to: z.string(),
      baseUnits: z.string(),
      gasLimit,
    }),
    execution,
    z.object({ kind: z.literal('deployment') }),
  ]),
});

export type OrderedCall = z.infer<typeof orderedCall>;

/**
 * A repetition of a call, with the gas of its first attempt. The digest of a call leaves out the
 * gas, and the fee of the first attempt is the one that is reserved.
 */
export function asFirst(call: JudgedCall, first: OrderedCall | undefined): JudgedCall {
  if (first === undefined || first.does.kind === 'deployment') return call;
  return withGasLimit(call, first.does.gasLimit);
}

/** The same transfer or call of a contract with that limit of gas, or without any. */
export function withGasLimit(call: JudgedCall, gasLimit: string | undefined): JudgedCall {
  switch (call.method) {
    case 'createTransfer':
      return { ...call, input: { ...call.input, gasLimit } };
    case 'executeContract':
      return { ...call, input: { ...call.input, gasLimit } };
    default:
      return call;
  }
}

/** The transaction that a call asks for. Undefined for a call that asks for none. */
export async function orderedIn(
  call: JudgedCall,
  { address: sender }: PayingWallet,
  { decimalsOf }: Pick<PolicyTokens, 'decimalsOf'>,
): Promise<OrderedCall | undefined> {
  switch (call.method) {
    case 'createTransfer': {
      const { tokenAddress, destinationAddress: to, amounts, gasLimit } = call.input;
      const baseUnits = `${toBaseUnits(amounts[0], await decimalsOf(tokenAddress))}`;
      return { sender, does: { kind: 'transfer', tokenAddress, to, baseUnits, gasLimit } };
    }
    case 'executeContract': {
      const { amount = '0', ...input } = call.input;
      return { sender, does: execution.parse({ kind: 'execution', ...input, amount }) };
    }
    case 'deployTemplate':
      return { sender, does: { kind: 'deployment' } };
    default:
      return undefined;
  }
}
