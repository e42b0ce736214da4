// @ts-check
const { spawn } = require('node:child_process');

/**
 * A shell's exit codes for programs that a signal ended.
 * @type {Record<string, number>}
 */
const signalCodes = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 };

/** @type {Set<import('node:child_process').ChildProcess>} */
const running = new Set();

/**
 * @typedef {object} RunOptions
 * @property {NodeJS.ProcessEnv} [env]
 * @property {string} [cwd]
 * @property {boolean} [quiet] keep the output instead of showing it
 * @property {number} [timeoutMs] kill the program after this time
 */

/**
 * Runs a program to its end, with its children: the program leads a process group.
 * @param {readonly string[]} command
 * @param {RunOptions} [options]
 * @returns {Promise<{code: number, output: string}>}
 */
function run([program = '', ...args], options = {}) {
  const child = spawn(program, args, {
    env: options.env ?? process.env,
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    stdio: options.quiet ? ['ignore', 'pipe', 'pipe'] : ['ignore', 'inherit', 'inherit'],
    detached: true,
  });
  running.add(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk) => {
      output += chunk;
    });
  }
  const { timeoutMs } = options;
  const timer =
    timeoutMs === undefined
      ? undefined
      : setTimeout(() => signalGroup(child, 'SIGKILL'), timeoutMs);
  return new Promise((resolve) => {
    /** @param {number} code @param {string} [reason] */
    const settle = (code, reason = '') => {
      clearTimeout(timer);
      running.delete(child);
      // Kill the rest of its group. Test processes outlive an interrupted runner.
      signalGroup(child, 'SIGKILL');
      resolve({ code, output: output + reason });
    };
    child.once('error', (error) => settle(127, error.message));
    child.once('close', (code) => settle(code ?? 1));
  });
}

/**
 * @param {import('node:child_process').ChildProcess} child
 * @param {NodeJS.Signals} signal
 */
function signalGroup(child, signal) {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, signal);
  } catch {
    // It ended by itself in the meantime.
  }
}

/**
 * Passes the signals that end this process on to every running program, waits for them, and exits
 * with the code that a shell expects. Returns a function that undoes this.
 * @param {() => void} [beforeExit]
 * @returns {() => void}
 */
function stopOnSignals(beforeExit = () => {}) {
  let stopping = false;
  /** @param {NodeJS.Signals} signal */
  const stop = async (signal) => {
    // Under npm Ctrl-C arrives twice: from the terminal and from npm.
    if (stopping) return;
    stopping = true;
    for (const child of running) signalGroup(child, 'SIGTERM');
    const late = setTimeout(() => {
      for (const child of running) signalGroup(child, 'SIGKILL');
    }, 10_000);
    await Promise.all([...running].map((child) => new Promise((end) => child.once('close', end))));
    clearTimeout(late);
    beforeExit();
    process.exit(signalCodes[signal]);
  };
  const signals = /** @type {NodeJS.Signals[]} */ (Object.keys(signalCodes));
  for (const signal of signals) process.on(signal, stop);
  return () => {
    for (const signal of signals) process.off(signal, stop);
  };
}

module.exports = { run, stopOnSignals };
