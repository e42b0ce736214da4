import { z } from 'zod';
import { networks, usualNetwork } from '../networks/networks';
import { parse, port } from '../variables';
import { isOriginOfPasskeys } from '../writer/signing/passkey';

const path = z.string();
const host = z.string().regex(/^[\w.:-]{1,253}$/, { error: 'must be an address or a name' });
const origin = z.string().refine(isOriginOfPasskeys, {
  error: 'must be the address that browsers show, such as https://console.example.org',
});

const variables = z.object({
  STEADFAST_CONSOLE_HOST: host.default('127.0.0.1'),
  STEADFAST_CONSOLE_PORT: port.default(4030),
  STEADFAST_CONSOLE_ORIGIN: origin.optional(),
  STEADFAST_CONSOLE_FILE: path,
  STEADFAST_POLICY_FILE: path,
  STEADFAST_ADDRESS_BOOK: path.optional(),
  STEADFAST_ENTITY_ID: z.string().optional(),
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
};

/** Reads the settings of the console. It needs no secret. Throws a ConfigError. */
export function readConsoleConfig(env: NodeJS.ProcessEnv): ConsoleConfig {
  const read = parse(variables, env);
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
  };
}
