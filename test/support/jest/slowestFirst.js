// @ts-check
const path = require('node:path');
const { default: Sequencer } = require('@jest/test-sequencer');

/**
 * The slowest test files, slowest first. A fresh clone has no times of an earlier run, and one that
 * starts last keeps everything else waiting.
 */
const slowest = [
  'proof/sweep/runSweep',
  'proof/model/model',
  'system/healing',
  'system/secrets',
  'system/traps/reset',
  'workflows/sweepWallets',
  'workflows/order/dryRun',
  'system/payoutFile',
  'system/traps/startAgain',
  'system/crash',
  'system/payoutKills',
  'proof/soak/run',
  'system/traps/payout',
  'system/sandboxAlone',
  'system/traps/wake',
  'sandbox/control/forcedStates',
  'system/traps/refusedControls',
  'system/traps/controls',
  'system/schedule',
  'system/conformance/sdk',
  'system/conformance/http',
  'workflows/write/confirm',
  'system/everyWay',
  'tidy/structure',
].map((name) => path.join(__dirname, '..', '..', `${name}.test.ts`));

/** Starts the slowest files first. All others start in Jest's own order. */
class SlowestFirst extends Sequencer {
  /**
   * @override
   * @param {Parameters<Sequencer['sort']>[0]} tests
   */
  async sort(tests) {
    const place = (/** @type {{path: string}} */ { path }) => slowest.indexOf(path);
    const slow = tests.filter((test) => place(test) >= 0);
    const others = tests.filter((test) => place(test) < 0);
    slow.sort((one, other) => place(one) - place(other));
    return [...slow, ...(await super.sort(others))];
  }
}

module.exports = SlowestFirst;
