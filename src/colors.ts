import picocolors from 'picocolors';

/**
 * Colour on a terminal only. The library alone also paints where `CI` or `FORCE_COLOR` is set,
 * and what goes into a pipe or a log is read as plain text there too.
 */
export const pc = picocolors.createColors(
  process.stdout.isTTY === true && picocolors.isColorSupported,
);
