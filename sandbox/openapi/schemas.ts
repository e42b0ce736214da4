import { z } from 'zod';
import { abiParameter } from '../../src/custody/endpoints/endpoint';
import { contractSchema } from '../../src/custody/objects/contract';
import { eventLogSchema, eventMonitorSchema } from '../../src/custody/objects/contractEvent';
import { subscriptionSchema } from '../../src/custody/objects/subscription';
import { balanceSchema, nftSchema, tokenSchema } from '../../src/custody/objects/token';
import {
  feeEstimateSchema,
  levelEstimatesSchema,
  transactionSchema,
} from '../../src/custody/objects/transaction';
import { walletSchema, walletSetSchema } from '../../src/custody/objects/wallet';

/** A part of the document. */
export type Json = { [key: string]: unknown };

/** The schemas that are described once, under a name, and referred to from everywhere else. */
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

export type Schemas = ReturnType<typeof createSchemas>;

/** Describes one schema after the other, and keeps what they have pointed to. */
export function createSchemas() {
  const components = new Map<string, unknown>();
  return {
    /** As it is asked for (before our own defaults and conversions), or as it is answered. */
    describe: (schema: z.ZodType, io: 'input' | 'output'): Json => {
      const json = JSON.stringify(z.toJSONSchema(schema, { metadata: records, io }));
      const pointed: Json & { $defs?: Json } = JSON.parse(
        json.replaceAll('"#/$defs/', '"#/components/schemas/'),
      );
      const { $schema: _, $defs = {}, ...described } = pointed;
      for (const [name, part] of Object.entries($defs)) {
        // Zod makes names up for what refers to itself. Two schemas would have the same ones.
        if (!(name in named)) throw new Error(`${name} has no name of its own: add it to "named".`);
        components.set(name, part);
      }
      return described;
    },
    /** The schemas that were referred to so far, by name. */
    components: (): Json =>
      Object.fromEntries([...components].sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}
