import picocolors from 'picocolors';

/**
 * Colour on a terminal only, and where one of both streams goes elsewhere, in neither. The library
 * alone also paints where `CI` or `FORCE_COLOR` is set, and what goes into a pipe or a log is read
 * as plain text there too.
 */
export const pc = picocolors.createColors(
  process.stdout.isTTY === true && process.stderr.isTTY === true && picocolors.isColorSupported,
);
