import { createRequire } from 'node:module';
import { join } from 'node:path';
import { outdatedWords, sendRefusal } from '../../activities/sendRefusal';
import * as finding from '../../workflows/write/machine/finding';
import { firstState } from '../../workflows/write/machine/firstState';
import * as state from '../../workflows/write/machine/machine';
import * as writeState from '../../workflows/write/machine/writeState';
import type { Edit } from '../sweep/planted/edit';
import { bundled } from './bundle';
import type { LedgerRules } from './ledger/world';
import type { Machine } from './world';

const writer = { sendRefusal, outdatedWords };
export const product: Machine = { ...state, ...writeState, ...finding, firstState, ...writer };

const states = ['finding', 'machine', 'writeState', 'firstState'];
const machineFiles = [
  ...states.map((name) => `workflows/write/machine/${name}`),
  'activities/sendRefusal',
];
const ledgers = ['rules', 'outside', 'claims', 'statements'];
const ledgerFiles = ledgers.map((name) => `src/writer/ledger/${name}`);

/** The product's rules with a change in their source. */
export function machineWith(edits: readonly Edit[], root: string): Promise<Machine> {
  return changed<Machine>(machineFiles, edits, root);
}

/** The rules of the product's ledger with a change in their source. */
export function ledgerWith(edits: readonly Edit[], root: string): Promise<LedgerRules> {
  return changed<LedgerRules>(ledgerFiles, edits, root);
}

async function changed<Exports>(
  files: readonly string[],
  edits: readonly Edit[],
  root: string,
): Promise<Exports> {
  const text = `${await bundled(files, edits, { root })} return module.exports;`;
  const load = new Function('module', 'require', '__dirname', text);
  const exports: Exports = load({ exports: {} }, createRequire(join(root, 'package.json')), root);
  return exports;
}
