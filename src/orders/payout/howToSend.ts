import { z } from 'zod';

/** A transaction has room for some more. */
const batchLinesMax = 250;

/** Fields of a payout that decide how its lines are sent, and not which money goes where. */
export const howToSend = {
  batch: z
    .union([z.strictObject({ linesMax: z.int().min(2).max(batchLinesMax) }), z.literal(false)], {
      error: 'must be false, or an object such as {"linesMax": 100}',
    })
    .optional()
    .describe(
      'The largest number of lines that one transaction pays. Default: 100, where CHAIN_RPC_URL ' +
        'is set, the token is a contract, and the chain has Multicall3From for wallets with a ' +
        'key of their own. False pays each line by itself.',
    ),
  memo: z
    .boolean()
    .optional()
    .describe(
      "Sends each line of an EOA wallet through the chain's contract Memo, with an id of the " +
        'line. The chain alone then tells that a line was paid. Needs CHAIN_RPC_URL.',
    ),
  continued: z
    .int()
    .min(0)
    .max(1_000)
    .optional()
    .describe(
      'How often the payout was continued after a cancellation. One more than before pays the ' +
        'lines that it has left.',
    ),
};
