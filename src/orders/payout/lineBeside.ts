import { z } from 'zod';
import { exchange, exchangeKept } from '../exchange/exchange';

/** As long as a remittance text of ISO 20022. */
const lineReferenceMax = 140;

const messageIdMax = 35;
/** ISO 20022 counts letters, and not the halves of which JavaScript makes some. */
const messageId = z
  .string()
  .refine((text) => text !== '' && [...text].length <= messageIdMax, {
    error: `must be 1 to ${messageIdMax} letters, as ISO 20022 wants it`,
  })
  .meta({ minLength: 1 });

/** The ids that a line has in the pain.001 of its sender. A pain.002 answers with them. */
const lineSource = z.strictObject({
  message: z
    .string()
    .regex(/^pain\.001\.001\.\d\d$/)
    .describe('Its name, such as pain.001.001.09.'),
  messageId: messageId.optional().describe('MsgId of the group.'),
  paymentId: messageId.optional().describe('PmtInfId.'),
  instructionId: messageId.optional().describe('InstrId.'),
  endToEndId: messageId.optional().describe('EndToEndId, where it is not the lineId.'),
});
export type LineSource = z.output<typeof lineSource>;

/** Tabs and line breaks are text. Other control characters, and half a letter, no book can keep. */
const unkeptForm = /(?![\t\n\r])\p{Cc}|\p{Cs}/u;

const words = z
  .string()
  .min(1)
  .max(lineReferenceMax)
  .refine((text) => !unkeptForm.test(text), {
    error: 'has a control character, or half a letter, that no book can keep. Take it out',
  });

/** Fields of a line that decide no payment. Results and receipts show them. */
export const lineBeside = {
  reference: words
    .optional()
    .describe("The payee's own word for it, such as an invoice. It decides no payment."),
  name: words
    .optional()
    .describe("The payee's name, for people who look at it. It decides no payment."),
  source: lineSource.optional(),
  exchange: exchange.optional(),
};

/** The same fields in the result of a line. */
export const keptBeside = {
  reference: z.string().optional().describe('As its line has it.'),
  name: z.string().optional().describe('As its line has it.'),
  source: lineSource.optional().describe('As its line has it.'),
  exchange: exchangeKept.optional(),
};

export type LineBeside = {
  [Field in keyof typeof lineBeside]?: z.output<(typeof lineBeside)[Field]>;
};

/** The place of a payment on the chain, by its record, and the batch that has paid it. */
export const linePlace = z.object({
  transactionId: z.string().optional(),
  onChain: z
    .object({
      blockNumber: z.int(),
      blockTime: z.string(),
      logIndex: z.int().optional(),
      fee: z.object({ baseUnits: z.string(), lines: z.int().min(0) }),
    })
    .optional(),
  batch: z.object({ step: z.string(), item: z.string(), generation: z.int() }).optional(),
  userOpHash: z.string().optional(),
});
