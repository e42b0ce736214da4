import { z } from 'zod';
import { toBaseUnits } from '../../custody/objects/amount';
import type { PolicyTokens } from './callEffects';
import type { PayingWallet } from './effects';
import type { JudgedCall } from './shapes';

const execution = z.object({
  kind: z.literal('execution'),
  walletId: z.string(),
  contractAddress: z.string(),
  abiFunctionSignature: z.string(),
  abiParameters: z.array(z.unknown()),
  /** The native coin that goes along, in whole coins. */
  amount: z.string(),
  /** A repetition is sent with it, since the fee was reserved for it. */
  gasLimit: z.string().optional(),
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
  if (call.method !== 'executeContract' || first?.does.kind !== 'execution') return call;
  const { gasLimit: _, ...input } = call.input;
  const { gasLimit } = first.does;
  return { ...call, input: gasLimit === undefined ? input : { ...input, gasLimit } };
}

/** The transaction that a call asks for. Undefined for a call that asks for none. */
export async function orderedIn(
  call: JudgedCall,
  { address: sender }: PayingWallet,
  { decimalsOf }: Pick<PolicyTokens, 'decimalsOf'>,
): Promise<OrderedCall | undefined> {
  switch (call.method) {
    case 'createTransfer': {
      const { tokenAddress, destinationAddress: to, amounts } = call.input;
      const baseUnits = `${toBaseUnits(amounts[0], await decimalsOf(tokenAddress))}`;
      return { sender, does: { kind: 'transfer', tokenAddress, to, baseUnits } };
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
