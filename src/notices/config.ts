import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { queueName } from '../config';
import { ConfigError, host, parse, port } from '../variables';
import type { ReceivedRule } from './startReceived';

const path = z.string();

const variables = z.object({
  STEADFAST_WEBHOOKS_HOST: host.default('127.0.0.1'),
  STEADFAST_WEBHOOKS_PORT: port.default(4020),
  STEADFAST_WEBHOOKS_TLS_CERT: path.optional(),
  STEADFAST_WEBHOOKS_TLS_KEY: path.optional(),
  STEADFAST_WEBHOOKS_ENDPOINT: z.url({ error: 'must be a URL' }).optional(),
  STEADFAST_RECEIVED_WORKFLOW: queueName.optional(),
  STEADFAST_RECEIVED_QUEUE: queueName.optional(),
});

type Variable = keyof z.output<typeof variables>;

/** The flags of the receiver, and the variables that they win over. */
const receiverFlags = {
  host: 'STEADFAST_WEBHOOKS_HOST',
  port: 'STEADFAST_WEBHOOKS_PORT',
  tlsCert: 'STEADFAST_WEBHOOKS_TLS_CERT',
  tlsKey: 'STEADFAST_WEBHOOKS_TLS_KEY',
  endpoint: 'STEADFAST_WEBHOOKS_ENDPOINT',
} as const satisfies Record<string, Variable>;
export type ReceiverFlags = Partial<Record<keyof typeof receiverFlags, string>>;

const flagOf: Record<string, string> = {
  STEADFAST_WEBHOOKS_HOST: '--host',
  STEADFAST_WEBHOOKS_PORT: '--port',
  STEADFAST_WEBHOOKS_TLS_CERT: '--tls-cert',
  STEADFAST_WEBHOOKS_TLS_KEY: '--tls-key',
  STEADFAST_WEBHOOKS_ENDPOINT: '--endpoint',
};

type ReceiverConfig = {
  host: string;
  port: number;
  tls: { cert: Buffer; key: Buffer } | undefined;
  /** The address that the receiver subscribes once it listens. Undefined: somebody else does. */
  endpoint: string | undefined;
  received: ReceivedRule | undefined;
};

/** Reads the settings of the receiver. Flags win over variables. */
export function readReceiverConfig(
  flags: ReceiverFlags = {},
  env: NodeJS.ProcessEnv = process.env,
): ReceiverConfig {
  const given = Object.entries(receiverFlags).flatMap(([flag, variable]) => {
    const value = Object.entries(flags).find(([name]) => name === flag)?.[1];
    return value === undefined ? [] : [[variable, value]];
  });
  const set: Record<string, string> = Object.fromEntries(given);
  const named = Object.fromEntries(Object.keys(set).map((name) => [name, flagOf[name] ?? name]));
  const read = parse(variables, { ...env, ...set }, { flags: named });
  return {
    host: read.STEADFAST_WEBHOOKS_HOST,
    port: read.STEADFAST_WEBHOOKS_PORT,
    tls: tlsOf(read),
    endpoint: read.STEADFAST_WEBHOOKS_ENDPOINT,
    received: receivedOf(read),
  };
}

function tlsOf(read: z.output<typeof variables>): ReceiverConfig['tls'] {
  const { STEADFAST_WEBHOOKS_TLS_CERT: cert, STEADFAST_WEBHOOKS_TLS_KEY: key } = read;
  if (cert === undefined && key === undefined) return undefined;
  if (cert === undefined || key === undefined) {
    throw new ConfigError('--tls-cert, --tls-key: only one of them is set. Give both, or neither.');
  }
  return { cert: fileOf('--tls-cert', cert), key: fileOf('--tls-key', key) };
}

function fileOf(flag: string, file: string): Buffer {
  try {
    return readFileSync(file);
  } catch {
    throw new ConfigError(`${flag}: "${file}" is not a file that can be read.`);
  }
}

function receivedOf(read: z.output<typeof variables>): ReceivedRule | undefined {
  const { STEADFAST_RECEIVED_WORKFLOW: workflowType, STEADFAST_RECEIVED_QUEUE: taskQueue } = read;
  if (workflowType === undefined && taskQueue === undefined) return undefined;
  if (workflowType !== undefined && taskQueue !== undefined) return { workflowType, taskQueue };
  throw new ConfigError(
    'STEADFAST_RECEIVED_WORKFLOW, STEADFAST_RECEIVED_QUEUE: only one of them is set. Give both: ' +
      'the type of your workflow, and the queue that your worker serves.',
  );
}
