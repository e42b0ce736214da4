/** As much of a write as decides whether it may be sent. */
type Asked = {
  parts: { step: string };
  earlierTries: 'clean' | 'ambiguous';
  bornAtMs: number;
  lookedUpAgoMs?: number | undefined;
  baseUrl: string;
  validUntil?: string | undefined;
};

type Refusal = { type: 'Refused' | 'Unknown' | 'NeedsOperator'; words: readonly string[] };

/**
 * Says why a write must not be sent even though its workflow asks for it. Undefined if it may be
 * sent. Pure: `proof/model` runs it too.
 */
export function sendRefusal(
  write: Asked,
  settings: { baseUrl: string; keyLifetimeMs: number; nowMs: number },
): Refusal | undefined {
  const { earlierTries, validUntil, baseUrl, bornAtMs } = write;
  const { step } = write.parts;
  const { nowMs, keyLifetimeMs } = settings;
  if (baseUrl !== settings.baseUrl) {
    const words = [
      `This order was opened for ${baseUrl}, but this worker drives ${settings.baseUrl}.`,
      `The ${step} is not sent. Set CUSTODY_BASE_URL back until such orders are done.`,
    ];
    return { type: 'NeedsOperator', words };
  }
  const isLate = validUntil !== undefined && nowMs > Date.parse(validUntil);
  if (isLate && earlierTries === 'clean') {
    const words = [`validUntil: ${validUntil} has passed, so the ${step} is not sent.`];
    return { type: 'Refused', words };
  }
  if (earlierTries === 'clean') return undefined;
  if (isLate) {
    const words = [
      `The ${step} may have been sent before, and validUntil (${validUntil}) has passed.`,
      'It is not sent again.',
    ];
    return { type: 'Unknown', words };
  }
  if (nowMs <= bornAtMs + keyLifetimeMs) return undefined;
  const words = [
    `The ${step} may have been sent under a key from ${new Date(bornAtMs).toISOString()},`,
    `older than CUSTODY_KEY_LIFETIME_HOURS (${keyLifetimeMs / 3_600_000}).`,
    'The service may have forgotten the key, so it is not sent again.',
  ];
  return { type: 'Unknown', words };
}

/** The time for which a worker runs, and for which an attempt has waited for one. */
type Waited = { uptimeMs: number; queuedMs: number; lookupGraceMs: number };

/**
 * Says why an attempt has to wait for another look-up: the last one is older than this worker.
 * Temporal's database may have been restored from a backup since, so that the run does not know
 * what was sent. The rule compares durations, because the clocks of Temporal and a worker differ.
 * It ignores a wait in the queue that is shorter than the grace period: before a restore, all
 * workers stand still for longer.
 */
export function outdatedWords(
  { parts, lookedUpAgoMs }: Pick<Asked, 'parts' | 'lookedUpAgoMs'>,
  { uptimeMs, queuedMs, lookupGraceMs }: Waited,
): string | undefined {
  if (lookedUpAgoMs === undefined) return undefined;
  const longestMs = Math.max(lookedUpAgoMs, lookedUpAgoMs + queuedMs - lookupGraceMs);
  if (longestMs <= uptimeMs) return undefined;
  return `The ${parts.step} was looked up before this worker began, so it is looked up again.`;
}
