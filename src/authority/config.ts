import { existsSync } from 'node:fs';
import { z } from 'zod';
import { parse } from '../config';
import { blockchains } from '../custody/objects/blockchain';

const variables = z.object({
  STEADFAST_SIGN_KEY: z.string().refine(existsSync, { error: 'is not a file that can be found' }),
  STEADFAST_ENTITY_ID: z.string().min(1),
  CUSTODY_BLOCKCHAIN: z.enum(Object.keys(blockchains)).default('ARC-TESTNET'),
});

/** The key file that signs requests, and the account and chain that they are for. */
export type SigningConfig = { keyPath: string; entity: string; blockchain: string };

/** Reads how this process signs its orders. Undefined when it signs none. */
export function readSigning(env: NodeJS.ProcessEnv = process.env): SigningConfig | undefined {
  if (!env.STEADFAST_SIGN_KEY) return undefined;
  const read = parse(variables, env);
  return {
    keyPath: read.STEADFAST_SIGN_KEY,
    entity: read.STEADFAST_ENTITY_ID,
    blockchain: read.CUSTODY_BLOCKCHAIN,
  };
}
