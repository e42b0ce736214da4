/** What of a running sandbox can be changed through its control plane, until it ends. */
export type Settings = {
  /** From acceptance to COMPLETE. */
  settleMs: number;
  /** From one block to the next, while transactions wait for one. */
  blockMs: number;
  /** Whether calls are limited as the hosted service limits them. */
  rateLimit: 'hosted' | 'off';
  /** After this time an idempotency key is forgotten. */
  keyLifetimeMs: number;
  /** A key that comes again with another body: its first answer, or a refusal. */
  sameKeyOtherBody: 'first' | 'refuse';
  /** A refused request keeps its key, which is then of no further use. */
  refusalBurnsKey: boolean;
  /** How long reads go on showing what was before a write. */
  readLagMs: number;
};

/** Arc mines about two blocks a second; what settles faster cannot wait for that. */
const blockMsMax = 500;
const dayMs = 86_400_000;

/** The settings that a sandbox starts with. */
export function firstSettings({
  settleMs,
  rateLimit,
}: Pick<Settings, 'settleMs' | 'rateLimit'>): Settings {
  return {
    settleMs,
    blockMs: Math.min(blockMsMax, Math.floor(settleMs / 4)),
    rateLimit,
    keyLifetimeMs: 30 * dayMs,
    sameKeyOtherBody: 'first',
    refusalBurnsKey: false,
    readLagMs: 0,
  };
}
