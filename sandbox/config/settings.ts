import { z } from 'zod';
import { newestScaCore, scaCores } from '../../src/custody/objects/wallet';

const dayMs = 86_400_000;
const durationMs = z.int().min(0).max(dayMs);

/** The settings that the control plane can change until the sandbox ends. */
const settingsSchema = z.strictObject({
  /** From acceptance to COMPLETE. */
  settleMs: durationMs,
  /** From one block to the next, while transactions wait for one. */
  blockMs: durationMs,
  /** `hosted` limits calls as the hosted service does. */
  rateLimit: z.enum(['hosted', 'off']),
  /**
   * `lenient` reads fields as the hosted service does. Unknown ones are ignored and told, and null
   * is absent. The case of letters does not matter in bodies. `strict` refuses all of that.
   */
  fields: z.enum(['lenient', 'strict']),
  /** After this time an idempotency key is forgotten. */
  keyLifetimeMs: z.int().min(0),
  /** A key that comes again with another body: its first answer, or a refusal. */
  sameKeyOtherBody: z.enum(['first', 'refuse']),
  /** A refused request keeps its key, which is then of no further use. */
  refusalBurnsKey: z.boolean(),
  /**
   * The number of transactions that one wallet may have pending. The hosted number is not
   * published.
   */
  pendingMax: z.number().int().min(1),
  /** The most that a transaction may offer for gas, in native coins. */
  feeCap: z.string().regex(/^\d{1,9}(\.\d{1,18})?$/, {
    error: 'must be an amount of the native coin as text, such as "0.5"',
  }),
  /** `on`: the chain accepts transactions that others have signed. */
  outsideTransactions: z.enum(['on', 'off']),
  /** `on`: a chain at rest goes on while somebody asks for its newest block. */
  idleBlocks: z.enum(['on', 'off']),
  /** The core of new SCA wallets. Wallets of an older one can be upgraded. */
  scaCore: z.enum(scaCores),
  /** The time for which reads still show the state before a write. */
  readLagMs: durationMs,
  /** The waits of a notice after its failed attempts. After the last one it is given up. */
  webhookRetryMs: z.array(durationMs).max(20),
  /** The longest time for a webhook's answer. */
  webhookTimeoutMs: durationMs.min(1),
});

export type Settings = z.output<typeof settingsSchema>;

/** Some settings. A setting that is unknown or malformed is refused by name. */
export const settingsChange = settingsSchema.partial();

/** Arc mines about two blocks a second. What settles faster cannot wait for that. */
const blockMsMax = 500;
const blocksToSettle = 4;

/** The hosts that only this machine reaches. */
const loopback = /^(localhost|127(\.\d+){3}|::1)$/;

/** Waits between the attempts of a notice, as the service's other products have them in test. */
const retryMs = [1_000, 10_000, 30_000, 60_000, 900_000, 3_600_000];

/** The settings that a sandbox starts with. */
export function firstSettings({
  settleMs,
  rateLimit,
  host,
}: Pick<Settings, 'settleMs' | 'rateLimit'> & { host: string }): Settings {
  return {
    settleMs,
    blockMs: blockMsFor(settleMs),
    rateLimit,
    fields: 'lenient',
    keyLifetimeMs: 30 * dayMs,
    sameKeyOtherBody: 'first',
    refusalBurnsKey: false,
    pendingMax: 1_000,
    feeCap: '1',
    // Anyone who reaches another host could pay on the chain.
    outsideTransactions: loopback.test(host) ? 'on' : 'off',
    idleBlocks: 'on',
    scaCore: newestScaCore,
    readLagMs: 0,
    webhookRetryMs: [...retryMs],
    webhookTimeoutMs: 5_000,
  };
}

/** Changes some settings in place. Blocks keep pace with settling unless told otherwise. */
export function changeSettings(settings: Settings, change: z.output<typeof settingsChange>): void {
  const { settleMs } = change;
  const pace = settleMs === undefined ? {} : { blockMs: blockMsFor(settleMs) };
  Object.assign(settings, pace, change);
}

function blockMsFor(settleMs: number): number {
  return Math.min(blockMsMax, Math.floor(settleMs / blocksToSettle));
}
