import { z } from 'zod';
import { monitorScopes, tokenSchema } from '../objects/token';
import {
  addressText,
  blockchain,
  type Endpoint,
  id,
  nothing,
  page,
  readEndpoint,
  writeEndpoint,
} from './endpoint';

const monitoredTokens = z.object({
  scope: z.enum(monitorScopes),
  tokens: z.array(tokenSchema),
});
const path = '/config/entity/monitoredTokens';
const change = { ...writeEndpoint, signed: false, success: 200 } as const;
const tokenIds = z.array(id).max(1_000);

/** Monitored tokens: the only ones in lists and notices, unless all are monitored. */
export const monitoring = {
  /** Answers nothing until the first change. */
  listMonitoredTokens: {
    ...readEndpoint,
    path,
    input: z.strictObject({
      blockchain: blockchain.optional(),
      tokenAddress: addressText.optional(),
      symbol: z.string().optional(),
      ...page,
    }),
    output: monitoredTokens.optional(),
  },
  createMonitoredTokens: {
    ...change,
    path,
    success: 201,
    input: z.strictObject({ tokenIds: tokenIds.min(1) }),
    output: monitoredTokens,
  },
  updateMonitoredTokens: {
    ...change,
    method: 'PUT',
    path,
    input: z.strictObject({ tokenIds: tokenIds.optional() }),
    output: monitoredTokens,
  },
  deleteMonitoredTokens: {
    ...change,
    path: `${path}/delete`,
    input: z.strictObject({ tokenIds: tokenIds.min(1) }),
    output: nothing,
  },
  updateMonitoredTokensScope: {
    ...change,
    method: 'PUT',
    path: `${path}/scope`,
    input: z.strictObject({ scope: z.enum(monitorScopes) }),
    output: nothing,
  },
} as const satisfies Record<string, Endpoint>;
