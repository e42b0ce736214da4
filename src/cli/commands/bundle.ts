import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

/** The workflows as one file, made once for all workers of a build. */
export const bundle = {
  name: 'bundle',
  summary: 'write the workflows into one file, for STEADFAST_WORKFLOW_BUNDLE of workers',
  run: async (file: string, flags: { private?: boolean }): Promise<void> => {
    // Slow to load, and of no use to any other command but the worker.
    const { buildWorkflows }: typeof import('../../worker') = require('../../worker');
    const { code } = await buildWorkflows({ isPrivate: flags.private === true });
    await mkdir(dirname(resolve(file)), { recursive: true });
    await writeFile(file, code);
  },
};
