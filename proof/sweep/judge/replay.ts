import { mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Client } from '@temporalio/client';
import { Worker } from '@temporalio/worker';
import { historyToJson } from '../../../test/support/histories/historyJson';

/** A workflow whose code does not make its history a second time. */
type Strayed = { workflowId: string; evidence: string };

const folder = join(tmpdir(), 'steadfast-sweep-histories');

/**
 * Replays the histories of a Temporal server, or those that a query finds, with the workflows that
 * made them. Returns those that differ, and keeps them in files, since the server ends with the
 * sweep.
 */
export function replayAll(client: Client, bundle: string, query = ''): Promise<Strayed[]> {
  const own = last.then(() => replayNow(client, bundle, query));
  last = own.catch(() => {});
  return own;
}

/** Lanes replay one after another. The SDK's runtime stops with the last replay, under a new one. */
let last: Promise<unknown> = Promise.resolve();

async function replayNow(client: Client, bundle: string, query: string): Promise<Strayed[]> {
  const strayed: Strayed[] = [];
  const histories = historiesOf(client, query);
  const replayed = Worker.runReplayHistories({ workflowBundle: { codePath: bundle } }, histories);
  for await (const { workflowId, runId, error } of replayed) {
    if (error === undefined) continue;
    const file = join(folder, `${runId}.json`);
    mkdirSync(folder, { recursive: true });
    const history = await client.workflow.getHandle(workflowId, runId).fetchHistory();
    writeFileSync(file, JSON.stringify(historyToJson(history)));
    strayed.push({ workflowId, evidence: `${workflowId}: ${error.message}. Its history: ${file}` });
  }
  return strayed;
}

async function* historiesOf(client: Client, query: string) {
  for await (const { workflowId, runId } of client.workflow.list({ query })) {
    const history = await client.workflow.getHandle(workflowId, runId).fetchHistory();
    yield { workflowId, history };
  }
}
