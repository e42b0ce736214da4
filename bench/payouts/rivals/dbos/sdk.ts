import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

/** The part of the rival's SDK that the bench uses. The SDK itself is installed on demand. */
export type Dbos = {
  setConfig(config: { name: string; systemDatabaseUrl: string; [option: string]: unknown }): void;
  launch(): Promise<void>;
  registerWorkflow<Args extends unknown[], Result>(
    workflow: (...args: Args) => Promise<Result>,
    options: { name: string },
  ): (...args: Args) => Promise<Result>;
  runStep<Result>(
    step: () => Promise<Result>,
    options: { name: string; retriesAllowed?: boolean; maxAttempts?: number },
  ): Promise<Result>;
  registerQueue(
    name: string,
    options: {
      workerConcurrency?: number;
      /** The same for workflows that share a partition key. */
      partitionWorkerConcurrency?: number;
      minPollingIntervalMs: number;
    },
  ): Promise<unknown>;
  startWorkflow<Args extends unknown[], Result>(
    workflow: (...args: Args) => Promise<Result>,
    options: {
      workflowID: string;
      queueName: string;
      enqueueOptions?: { queuePartitionKey: string };
    },
  ): (...args: Args) => Promise<unknown>;
};

export const isInstalled = (): boolean =>
  existsSync(join(__dirname, 'node_modules', '@dbos-inc', 'dbos-sdk', 'package.json'));

/** The SDK from this folder's own packages. */
export function loadDbos(): Dbos {
  const { DBOS }: { DBOS: Dbos } = createRequire(__filename)('@dbos-inc/dbos-sdk');
  return DBOS;
}
