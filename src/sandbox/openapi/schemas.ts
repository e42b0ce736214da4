import { z } from 'zod';
import { contractSchema } from '../../custody/contract';
import { eventLogSchema, eventMonitorSchema } from '../../custody/contractEvent';
import { abiParameter } from '../../custody/endpoints/endpoint';
import { isRecord } from '../../custody/isRecord';
import { subscriptionSchema } from '../../custody/subscription';
import { balanceSchema, nftSchema, tokenSchema } from '../../custody/token';
import {
  feeEstimateSchema,
  levelEstimatesSchema,
  transactionSchema,
} from '../../custody/transaction';
import { walletSchema, walletSetSchema } from '../../custody/wallet';

/** A part of the document. */
export type Json = { [key: string]: unknown };

/** What is described once, under a name of its own, and pointed to from everywhere else. */
const named: Readonly<Record<string, z.ZodType>> = {
  AbiParameter: abiParameter,
  Balance: balanceSchema,
  Contract: contractSchema,
  EventLog: eventLogSchema,
  EventMonitor: eventMonitorSchema,
  FeeEstimate: feeEstimateSchema,
  LevelEstimates: levelEstimatesSchema,
  Nft: nftSchema,
  Subscription: subscriptionSchema,
  Token: tokenSchema,
  Transaction: transactionSchema,
  Wallet: walletSchema,
  WalletSet: walletSetSchema,
};

const records = z.registry<{ id: string }>();
for (const [id, schema] of Object.entries(named)) records.add(schema, { id });

/** Describes one schema after the other, and keeps what they have pointed to. */
export type Schemas = {
  /** As it is asked for (before our own defaults and conversions), or as it is answered. */
  describe(schema: z.ZodType, io: 'input' | 'output'): Json;
  /** What was pointed to so far, by name. */
  components(): Json;
};

export function createSchemas(): Schemas {
  const components = new Map<string, unknown>();
  return {
    describe: (schema, io) => {
      const {
        $schema: _,
        $defs = {},
        ...described
      } = z.toJSONSchema(schema, {
        metadata: records,
        io,
      });
      for (const [name, part] of Object.entries($defs)) {
        // Zod makes names up for what refers to itself; two schemas would have the same ones.
        if (!(name in named)) throw new Error(`${name} has no name of its own: add it to "named".`);
        components.set(name, pointed(part));
      }
      return pointedRecord(described);
    },
    components: () => Object.fromEntries([...components].sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}

/** The same with its pointers into the components of the document. */
function pointed(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(pointed);
  if (!isRecord(part)) return part;
  return pointedRecord(part);
}

function pointedRecord(part: Json): Json {
  const entries = Object.entries(part).map(([key, value]) => {
    const isPointer = key === '$ref' && typeof value === 'string';
    return [key, isPointer ? value.replace('#/$defs/', '#/components/schemas/') : pointed(value)];
  });
  return Object.fromEntries(entries);
}
