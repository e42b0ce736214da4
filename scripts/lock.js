// @ts-check
const fs = require('node:fs');
const path = require('node:path');
const { progress } = require('./progress');

const touchMs = 2000;
const staleMs = 15_000;
const lookMs = 300;

/**
 * Does the work while no other process does it. Takes over the lock of a dead process.
 * @template T
 * @param {string} file
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
async function withLock(file, work) {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  if (!take(file)) await progress('Waiting for another run that prepares the same', wait(file));
  const timer = setInterval(() => touch(file), touchMs);
  const release = () => fs.rmSync(file, { force: true });
  process.once('exit', release);
  try {
    return await work();
  } finally {
    clearInterval(timer);
    process.off('exit', release);
    release();
  }
}

/** @param {string} file */
async function wait(file) {
  do await new Promise((resolve) => setTimeout(resolve, lookMs));
  while (!take(file));
}

/** @param {string} file */
function take(file) {
  try {
    fs.writeFileSync(file, `${process.pid}\n`, { flag: 'wx' });
    return true;
  } catch {
    const held = fs.statSync(file, { throwIfNoEntry: false });
    if (held && Date.now() - held.mtimeMs > staleMs) fs.rmSync(file, { force: true });
    return false;
  }
}

/** @param {string} file */
function touch(file) {
  const now = new Date();
  try {
    fs.utimesSync(file, now, now);
  } catch {
    // Somebody removed it; the worst that follows is work done twice.
  }
}

module.exports = { withLock };
