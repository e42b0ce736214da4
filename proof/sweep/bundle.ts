import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker';

/** Bundles the workflows of the product in this root into a folder, once for all its workers. */
export async function bundleWorkflows(root: string, folder: string): Promise<string> {
  const workflowsPath = join(root, 'workflows', 'index.ts');
  const workflowInterceptorModules = [join(root, 'workflows', 'order', 'interceptors.ts')];
  const logger = new DefaultLogger('WARN');
  const { code } = await bundleWorkflowCode({ workflowsPath, workflowInterceptorModules, logger });
  const file = join(folder, 'workflows.js');
  writeFileSync(file, code);
  return file;
}
