import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { noopMetricMeter } from '@temporalio/common';
import * as workflow from '@temporalio/workflow';
import { build } from 'esbuild';
import { outdatedWords, sendRefusal } from '../../activities/sendRefusal';
import * as finding from '../../workflows/write/machine/finding';
import { firstState } from '../../workflows/write/machine/firstState';
import * as state from '../../workflows/write/machine/machine';
import * as writeState from '../../workflows/write/machine/writeState';
import { type Edit, edited } from '../sweep/planted/edit';
import type { PartMachine } from './batch/part';
import type { LedgerRules } from './ledger/world';
import { type Machine, nowMs } from './world';

const writer = { sendRefusal, outdatedWords };
export const product: Machine = { ...state, ...writeState, ...finding, firstState, ...writer };

const machineFiles = [
  ...['finding', 'machine', 'writeState', 'firstState'].map(
    (name) => `workflows/write/machine/${name}`,
  ),
  'activities/sendRefusal',
];
const ledgerFiles = ['rules', 'outside', 'claims', 'statements'].map(
  (name) => `src/writer/ledger/${name}`,
);

const shardFiles = ['newShard', 'openShard', 'batches', 'payments', 'reading', 'answerShard'];
const partFiles = [
  ...[...shardFiles, 'send', 'results'].map((name) => `workflows/payout/shard/${name}`),
  ...['machine/finding', 'machine/writeState', 'writes'].map((name) => `workflows/write/${name}`),
  'activities/sendRefusal',
];

/** The product's rules with a change in their source. */
export function machineWith(edits: readonly Edit[], root: string): Promise<Machine> {
  return changed<Machine>(machineFiles, edits, root);
}

/** The rules of the product's ledger with a change in their source. */
export function ledgerWith(edits: readonly Edit[], root: string): Promise<LedgerRules> {
  return changed<LedgerRules>(ledgerFiles, edits, root);
}

/** The rules of a payout's part with a change in their source. */
export function partWith(edits: readonly Edit[], root: string): Promise<PartMachine> {
  return changed<PartMachine>(partFiles, edits, root);
}

/** The present of all rules never moves. */
class StillDate extends Date {
  static override now(): number {
    return nowMs;
  }
}

const run = {
  runId: 'run',
  originalExecutionRunId: 'run',
  continuedFromExecutionRunId: 'before',
  attempt: 1,
  unsafe: { isReplaying: false },
};

/** The answers of Temporal to the rules of a part. No run of it was reset, unless its state says so. */
const temporal = {
  ...workflow,
  workflowInfo: () => run,
  metricMeter: noopMetricMeter,
  upsertMemo: () => undefined,
};

async function changed<Exports>(
  files: readonly string[],
  edits: readonly Edit[],
  root: string,
): Promise<Exports> {
  const contents = files.map((file) => `export * from './${file}';`).join('\n');
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: root },
    bundle: true,
    write: false,
    format: 'cjs',
    platform: 'node',
    external: ['@temporalio/workflow'],
    plugins: [
      {
        name: 'plant',
        setup: ({ onLoad }) => {
          for (const edit of edits) {
            const path = join(root, edit.file);
            const filter = new RegExp(`${edit.file.replace('.', '[.]')}$`);
            const own = edits.filter(({ file }) => file === edit.file);
            onLoad({ filter }, () => ({
              contents: own.reduce(edited, readFileSync(path, 'utf8')),
              loader: 'ts',
            }));
          }
        },
      },
    ],
  });
  const text = `${outputFiles[0]?.text ?? ''} return module.exports;`;
  const load = new Function('module', 'require', '__dirname', 'Date', text);
  const ofNode = createRequire(join(root, 'package.json'));
  const require = (name: string) => (name === '@temporalio/workflow' ? temporal : ofNode(name));
  const exports: Exports = load({ exports: {} }, require, root, StillDate);
  return exports;
}
