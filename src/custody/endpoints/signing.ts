import { z } from 'zod';
import { checkSender, type Endpoint, senderFields, writeEndpoint } from './endpoint';

/** The signing wallet. The memo is not signed. */
const signer = { ...senderFields, memo: z.string().max(1_000).optional() };

/** The common fields of all signatures. They need the entity secret, and change nothing. */
const sign = { ...writeEndpoint, write: false, success: 200, rate: 'frequentWrites' } as const;

const signature = z.object({ signature: z.string() });

/** Signatures of wallets' keys over what the caller gives. */
export const signing = {
  /** EIP-191. With `encodedByHex`, the message is the 0x hex of the bytes. */
  signMessage: {
    ...sign,
    path: '/developer/sign/message',
    input: z
      .strictObject({ ...signer, message: z.string(), encodedByHex: z.boolean().optional() })
      .check(checkSender),
    output: signature,
  },
  /** EIP-712. `data` is its JSON as text. */
  signTypedData: {
    ...sign,
    path: '/developer/sign/typedData',
    input: z.strictObject({ ...signer, data: z.string() }).check(checkSender),
    output: signature,
  },
  /** The transaction as raw hex, or its fields as JSON text. Only EVM and EVM-TESTNET have it. */
  signTransaction: {
    ...sign,
    path: '/developer/sign/transaction',
    input: z
      .strictObject({
        ...signer,
        rawTransaction: z.string().optional(),
        transaction: z.string().optional(),
      })
      .check(checkSender),
    output: signature.extend({ signedTransaction: z.string(), txHash: z.string().optional() }),
  },
  /** Only NEAR has it. */
  signDelegateAction: {
    ...sign,
    path: '/developer/sign/delegateAction',
    input: z
      .strictObject({ ...senderFields, unsignedDelegateAction: z.string() })
      .check(checkSender),
    output: signature.extend({ signedDelegateAction: z.string() }),
  },
} as const satisfies Record<string, Endpoint>;
