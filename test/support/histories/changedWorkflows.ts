import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker';

const root = join(__dirname, '..', '..', '..');

/** Something else in one file of workflows/: what goes, and what comes in its place. */
export type Change = { file: string; from: string; to: string };

/**
 * Bundles a copy of the workflows in which something was changed. Throws when what is to go is not
 * there exactly once, since then nobody knows what was changed.
 */
export async function bundleChanged(changes: readonly Change[]): Promise<{ code: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'steadfast-changed-'));
  try {
    for (const part of ['workflows', 'src']) {
      cpSync(join(root, part), join(folder, part), { recursive: true });
    }
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
    for (const change of changes) apply(join(folder, 'workflows', change.file), change);
    return await bundleWorkflowCode({
      workflowsPath: join(folder, 'workflows', 'index.ts'),
      logger: new DefaultLogger('WARN'),
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function apply(path: string, { file, from, to }: Change): void {
  const pieces = readFileSync(path, 'utf8').split(from);
  if (pieces.length !== 2) {
    throw new Error(`workflows/${file} has this ${pieces.length - 1} times: ${from}`);
  }
  writeFileSync(path, pieces.join(to));
}
