import { z } from 'zod';
import { rpcUrl } from '../config';
import { networks, usualNetwork } from '../custody/networks/networks';
import { host, parse, port, withSecrets } from '../variables';
import { isOriginOfPasskeys } from '../writer/signing/passkey';

const path = z.string();
const origin = z.string().refine(isOriginOfPasskeys, {
  error: 'must be the address that browsers show, such as https://console.example.org',
});

const temporalUi = z.string().refine((text) => isOrigin(text), {
  error: 'must be an address without a path, such as https://temporal.example.org',
});

const variables = z.object({
  STEADFAST_CONSOLE_HOST: host.default('127.0.0.1'),
  STEADFAST_CONSOLE_PORT: port.default(4030),
  STEADFAST_CONSOLE_ORIGIN: origin.optional(),
  STEADFAST_CONSOLE_FILE: path,
  STEADFAST_POLICY_FILE: path,
  STEADFAST_ADDRESS_BOOK: path.optional(),
  STEADFAST_ENTITY_ID: z.string().optional(),
  STEADFAST_STORE: z.string().optional(),
  STEADFAST_TEMPORAL_UI: temporalUi.optional(),
  CHAIN_RPC_URL: rpcUrl.optional(),
  CUSTODY_BLOCKCHAIN: z.enum(Object.keys(networks)).default(usualNetwork),
});

export type ConsoleConfig = {
  host: string;
  port: number;
  /** The address of the console in browsers. Passkeys are made for it. */
  origin: string;
  /** The file of its invitations. */
  file: string;
  policyFile: string;
  bookFile: string | undefined;
  /** The account whose statements are shown. Undefined: any that an order names. */
  entity: string | undefined;
  blockchain: string;
  /** The archive of the workers, which is only read. */
  store: string | undefined;
  /** The address of Temporal UI, to which the page of an order leads. */
  temporalUi: string | undefined;
  /** A node of the network. */
  rpcUrl: string | undefined;
};

/** Reads the settings of the console. It needs no secret. Throws a ConfigError. */
export function readConsoleConfig(env: NodeJS.ProcessEnv): ConsoleConfig {
  const read = parse(variables, withSecrets(['STEADFAST_STORE'], env));
  const { STEADFAST_CONSOLE_PORT: listens } = read;
  return {
    host: read.STEADFAST_CONSOLE_HOST,
    port: listens,
    origin: read.STEADFAST_CONSOLE_ORIGIN ?? `http://localhost:${listens}`,
    file: read.STEADFAST_CONSOLE_FILE,
    policyFile: read.STEADFAST_POLICY_FILE,
    bookFile: read.STEADFAST_ADDRESS_BOOK,
    entity: read.STEADFAST_ENTITY_ID,
    blockchain: read.CUSTODY_BLOCKCHAIN,
    store: read.STEADFAST_STORE,
    temporalUi: read.STEADFAST_TEMPORAL_UI,
    rpcUrl: read.CHAIN_RPC_URL,
  };
}

function isOrigin(text: string): boolean {
  return /^https?:/.test(text) && URL.canParse(text) && new URL(text).origin === text;
}
