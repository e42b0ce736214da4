import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker';

const root = join(__dirname, '..', '..', '..');

/** A change of one file in workflows/: the text to replace, and its replacement. */
export type Change = { file: string; from: string; to: string };

/**
 * Bundles a copy of the workflows with some changes. Throws unless each text to replace occurs
 * exactly once: otherwise it is unclear what changed.
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
      workflowInterceptorModules: [join(folder, 'workflows', 'order', 'interceptors.ts')],
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
