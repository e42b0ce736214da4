import { z } from 'zod';
import { readTemporalConfig } from '../../config';
import { ConfigError, parse, port, readSecret } from '../../variables';

/** A key by the name that payloads carry, so that it is found again after a rotation. */
export type CodecKey = { id: string; bytes: Buffer };

export type CodecServerConfig = {
  host: string;
  /** 0 takes any free port. */
  port: number;
  keys: readonly CodecKey[];
  /** The owner of payloads when the caller names no namespace. */
  namespace: string;
  /** The secret of every caller. */
  token: string;
  /** The origin of the Temporal UI that may ask from a browser. The default is none. */
  uiOrigin: string | undefined;
};

const serverVariables = z.object({
  STEADFAST_CODEC_HOST: z.string().default('127.0.0.1'),
  STEADFAST_CODEC_PORT: port.default(8234),
  STEADFAST_CODEC_UI_ORIGIN: z
    .string()
    .refine((origin) => URL.canParse(origin) && new URL(origin).origin === origin, {
      error: 'must be an origin such as http://127.0.0.1:8233, without a path',
    })
    .optional(),
});

const keyForm = /^([\w.-]{1,32}):([A-Za-z0-9+/]{43}=)$/;
const tokenMin = 32;

/**
 * The keys of private payloads: the first encrypts, all decrypt. None where nothing is set: then
 * payloads are not encrypted. Throws a ConfigError that never holds a key.
 */
export function readCodecKeys(env: NodeJS.ProcessEnv = process.env): CodecKey[] {
  const found = readSecret('STEADFAST_CODEC_KEYS', env);
  if (found === undefined) return [];
  const { name, text } = found;
  const keys = text
    .split(/[\n,]/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line, index) => readKey(line, `${name}: key ${index + 1}`));
  if (keys.length === 0) throw new ConfigError(`${name}: holds no key.`);
  const ids = keys.map(({ id }) => id);
  const twice = ids.find((id, index) => ids.indexOf(id) !== index);
  if (twice === undefined) return keys;
  throw new ConfigError(`${name}: names two keys "${twice}". Give each a name of its own.`);
}

const strictVariables = z.object({
  STEADFAST_CODEC_STRICT: z.enum(['0', '1'], { error: 'must be 1 or 0' }).default('0'),
});

/** True if payloads that are not encrypted are refused. Throws a ConfigError without a key. */
export function readStrictness(
  keys: readonly CodecKey[],
  env: NodeJS.ProcessEnv = process.env,
): boolean {
  const isStrict = parse(strictVariables, env).STEADFAST_CODEC_STRICT === '1';
  if (isStrict && keys.length === 0) throw missing('STEADFAST_CODEC_KEYS');
  return isStrict;
}

/**
 * Reads the settings of the codec server. Throws a ConfigError that never holds a key or the token.
 */
export function readCodecServerConfig(env: NodeJS.ProcessEnv = process.env): CodecServerConfig {
  const variables = parse(serverVariables, env);
  const keys = readCodecKeys(env);
  const token = readSecret('STEADFAST_CODEC_TOKEN', env)?.text.trim();
  if (keys.length === 0) throw missing('STEADFAST_CODEC_KEYS');
  if (token === undefined) throw missing('STEADFAST_CODEC_TOKEN');
  if (token.length < tokenMin || /\s/.test(token)) {
    throw new ConfigError(
      `STEADFAST_CODEC_TOKEN: must be at least ${tokenMin} characters without spaces. ` +
        'Make one with "openssl rand -hex 32".',
    );
  }
  return {
    host: variables.STEADFAST_CODEC_HOST,
    port: variables.STEADFAST_CODEC_PORT,
    keys,
    token,
    namespace: readTemporalConfig(env).namespace,
    uiOrigin: variables.STEADFAST_CODEC_UI_ORIGIN,
  };
}

function missing(name: string): ConfigError {
  return new ConfigError(`${name}: is not set, nor is ${name}_FILE.`);
}

function readKey(line: string, name: string): CodecKey {
  const [, id, base64 = ''] = keyForm.exec(line) ?? [];
  const bytes = Buffer.from(base64, 'base64');
  if (id !== undefined && bytes.length === 32) return { id, bytes };
  throw new ConfigError(
    `${name} must be <name>:<base64 of 32 bytes>. Make one with "openssl rand -base64 32".`,
  );
}
