// @ts-check
/** On a terminal the line is redrawn at this rate. Elsewhere a new line is printed now and then. */
const redrawMs = 200;
const repeatMs = 30_000;

/**
 * Shows a task and its time so far on stderr, until the work is done.
 * @template T
 * @param {string} what
 * @param {Promise<T>} work
 * @returns {Promise<T>}
 */
async function progress(what, work) {
  const { isTTY } = process.stderr;
  const start = Date.now();
  const seconds = () => Math.round((Date.now() - start) / 1000);
  const draw = () =>
    process.stderr.write(isTTY ? `\r${what} … ${seconds()} s` : `${what} … ${seconds()} s\n`);
  if (!isTTY) process.stderr.write(`${what} …\n`);
  const timer = setInterval(draw, isTTY ? redrawMs : repeatMs);
  try {
    const result = await work;
    end(`${what}: done in ${seconds()} s`);
    return result;
  } catch (error) {
    end(`${what}: failed after ${seconds()} s`);
    throw error;
  } finally {
    clearInterval(timer);
  }
  /** @param {string} line */
  function end(line) {
    process.stderr.write(isTTY ? `\r\x1b[2K${line}\n` : `${line}\n`);
  }
}

module.exports = { progress };
