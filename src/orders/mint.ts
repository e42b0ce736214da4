import { z } from 'zod';
import { toBaseUnits } from '../custody/objects/amount';
import { address, amount, everyOrder, recipient, walletId } from './input/fields';
import { settlement } from './input/settlement';
import { brief, defineKind } from './kind';
import { mintOf } from './progress/doing';

/** Mints an amount of a fungible token that the wallet may mint. */
const mintOrder = z.strictObject({
  walletId,
  contractAddress: address,
  to: recipient,
  amount,
  ...everyOrder,
});

const mintReceipt = settlement.extend({
  contractAddress: z.string(),
  to: z.string(),
  amount: z.string(),
  supply: z
    .object({ before: z.string(), after: z.string() })
    .describe("Total supply in the token's units, read before the mint and after it had settled."),
});
export type MintReceipt = z.output<typeof mintReceipt>;

export const mintTokens = defineKind({
  order: mintOrder,
  receipt: mintReceipt,
  idWord: 'mint',
  does: 'mints an amount of a fungible token that the wallet may mint',
  example: {
    walletId: '0c3f3d3e-1111-4222-8333-4444aaaa6666',
    contractAddress: '0x89B50855Aa3bE2F677cD6303Cec089B5F319D72a',
    to: '0x523b27014BA9331e4a6c1bD7BC3b2b9F3B2BEC7d',
    amount: '1000000',
  },
  amountOf: ({ contractAddress }) => contractAddress,
  sentence: ({ amount, contractAddress, to }) =>
    `Mint ${amount} of ${brief(contractAddress)} to ${brief(to)}`,
  writes: ({ contractAddress, to, amount }, { wallet: from, decimals = 0 }) => {
    const abiParameters = [to, toBaseUnits(amount, decimals).toString()];
    const call = {
      contractAddress,
      abiFunctionSignature: 'mintTo(address,uint256)',
      abiParameters,
    };
    return [{ path: 'mint/1', doing: mintOf(amount, to), makes: 'call', from, call }];
  },
});
