import picocolors from 'picocolors';

/**
 * Colours only if both streams are terminals. The library itself would also colour with `CI` or
 * `FORCE_COLOR` set, and so in pipes and logs.
 */
export const pc = picocolors.createColors(
  process.stdout.isTTY === true && process.stderr.isTTY === true && picocolors.isColorSupported,
);
