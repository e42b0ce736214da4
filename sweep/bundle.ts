import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker';

/** Bundles the workflows of the product in this folder, once for all its workers. */
export async function bundleWorkflows(root: string): Promise<string> {
  const workflowsPath = join(root, 'workflows', 'index.ts');
  const { code } = await bundleWorkflowCode({ workflowsPath, logger: new DefaultLogger('WARN') });
  const file = join(mkdtempSync(join(tmpdir(), 'steadfast-bundle-')), 'workflows.js');
  writeFileSync(file, code);
  return file;
}
