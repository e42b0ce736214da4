// @ts-check
const path = require('node:path');
const { default: Sequencer } = require('@jest/test-sequencer');

/**
 * The slowest test files, slowest first. A fresh clone has no times of an earlier run, and one that
 * starts last keeps everything else waiting.
 */
const slowest = [
  'proof/soak/run',
  'system/payoutKills',
  'proof/model/batch/batch',
  'proof/sweep/runSweep',
  'system/healing',
  'proof/model/model',
  'system/authority/payout',
  'system/production/package',
  'system/addWorkflow',
  'system/crash',
  'system/traps/reset',
  'system/traps/payout',
  'system/secrets',
  'system/traps/controls',
  'sandbox/control/forcedStates',
  'system/traps/refusedControls',
  'proof/model/ledger',
  'system/schedule',
  'system/payoutFile',
  'workflows/sweepWallets',
  'workflows/order/dryRun',
  'system/traps/wake',
  'system/traps/startAgain',
  'proof/model/payout/payout',
  'system/conformance/sdk',
  'tidy/structure',
  'cli/waysOut',
  'workflows/payout/payoutEnded',
  'workflows/replay',
  'sandbox/service/snapshots',
  'system/traps/redeploy',
  'system/authority/approvals',
  'system/everyWay',
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
