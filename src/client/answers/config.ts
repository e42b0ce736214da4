import { z } from 'zod';
import { ConfigError, parse, withSecrets } from '../../variables';
import { receiverFault } from './address';

/** The receiver that is told of ends. The secrets stay in the process that sends. */
export type ReceiverSettings = {
  url: URL;
  /** The keys that sign each message. Several, while one takes the place of another. */
  keys: readonly Buffer[];
  /** True if the receiver may be on this machine, or in a private network. */
  isPrivate: boolean;
};

/** The Standard Webhooks specification wants secrets of this length. */
const [keyBytesMin, keyBytesMax] = [24, 64];
const secretForm = /^whsec_([A-Za-z0-9+/]+={0,2})$/;

const secrets = z
  .string()
  .transform((text) => text.trim().split(/\s+/).map(keyOf))
  .refine((keys) => keys.every(isKey), {
    error:
      `must be whsec_ and the base64 of ${keyBytesMin} to ${keyBytesMax} bytes, or several of them. ` +
      'Make one: echo "whsec_$(openssl rand -base64 32)"',
  })
  .transform((keys) => keys.filter((key) => key !== undefined));

function keyOf(text: string): Buffer | undefined {
  const [, base64] = secretForm.exec(text) ?? [];
  return base64 === undefined ? undefined : Buffer.from(base64, 'base64');
}

function isKey(key: Buffer | undefined): boolean {
  return key !== undefined && key.length >= keyBytesMin && key.length <= keyBytesMax;
}

const variables = z.object({
  STEADFAST_ANSWERS_URL: z
    .url({ protocol: /^https?$/, error: 'must be a URL such as https://erp.example.org/steadfast' })
    .refine((url) => !/^https?:\/\/[^/]*@/.test(url), {
      error: 'must not hold a user or a password',
    })
    .transform((url) => new URL(url))
    .optional(),
  STEADFAST_ANSWERS_SECRET: secrets.optional(),
  STEADFAST_ANSWERS_PRIVATE: z
    .literal('1', { error: 'must be 1, or not set' })
    .optional()
    .transform((text) => text === '1'),
});

/**
 * Reads the receiver of the ends of orders. Undefined if there is none. Throws a ConfigError that
 * names the variable and never holds a secret. `signs` is false for a process that sends nothing.
 */
export function readReceiver(
  env: NodeJS.ProcessEnv = process.env,
  { signs = true } = {},
): ReceiverSettings | undefined {
  const secret = 'STEADFAST_ANSWERS_SECRET';
  const read = parse(variables, {
    ...(signs ? withSecrets([secret], env) : { ...env, [secret]: undefined }),
  });
  const { STEADFAST_ANSWERS_URL: url, STEADFAST_ANSWERS_PRIVATE: isPrivate } = read;
  const keys = read.STEADFAST_ANSWERS_SECRET;
  if (url === undefined) {
    if (keys === undefined && !isPrivate) return undefined;
    throw new ConfigError(
      'STEADFAST_ANSWERS_URL: is not set, but another variable of the receiver is. Set it, or ' +
        'unset the others.',
    );
  }
  if (signs && keys === undefined) {
    throw new ConfigError(
      'STEADFAST_ANSWERS_SECRET: is not set, but STEADFAST_ANSWERS_URL is. Each message is signed. ' +
        'Make a secret: echo "whsec_$(openssl rand -base64 32)"',
    );
  }
  const fault = receiverFault(url, isPrivate);
  if (fault !== undefined) throw new ConfigError(`STEADFAST_ANSWERS_URL: ${fault}`);
  return { url, keys: keys ?? [], isPrivate };
}
