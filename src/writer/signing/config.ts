import { existsSync } from 'node:fs';
import { z } from 'zod';
import { networks, usualNetwork } from '../../custody/networks/networks';
import { ConfigError, parse } from '../../variables';

const placeVariables = z.object({
  STEADFAST_ENTITY_ID: z.string(),
  CUSTODY_BLOCKCHAIN: z.enum(Object.keys(networks)).default(usualNetwork),
});
const keyVariables = z.object({
  STEADFAST_SIGN_KEY: z.string().refine(existsSync, {
    error: ({ input }) => `${input} is not a file that can be found`,
  }),
});

/** The account and the chain that a request is for. */
type SigningPlace = { entity: string; blockchain: string };
/** The key file that signs requests as well. */
type SigningConfig = SigningPlace & { keyPath: string };

/** Reads what requests are made for. STEADFAST_ENTITY_ID is what "steadfast doctor" tells. */
export function readSigningPlace(env: NodeJS.ProcessEnv = process.env): SigningPlace {
  if (!env.STEADFAST_ENTITY_ID) {
    throw new ConfigError(
      'STEADFAST_ENTITY_ID: is not set. Set it to the id of the account: "steadfast doctor" tells it.',
    );
  }
  const { STEADFAST_ENTITY_ID: entity, CUSTODY_BLOCKCHAIN } = parse(placeVariables, env);
  return { entity, blockchain: CUSTODY_BLOCKCHAIN };
}

/** Reads how this process signs its orders. Undefined when it signs none. */
export function readSigning(env: NodeJS.ProcessEnv = process.env): SigningConfig | undefined {
  if (!env.STEADFAST_SIGN_KEY) return undefined;
  return { keyPath: parse(keyVariables, env).STEADFAST_SIGN_KEY, ...readSigningPlace(env) };
}
