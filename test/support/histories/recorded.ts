import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { temporal } from '@temporalio/proto';
import { isRecord } from '../../../src/custody/isRecord';
import { historyFromJson, historyToJson } from './historyJson';

export type History = temporal.api.history.v1.IHistory;

export const folder = join(__dirname, '..', '..', 'workflows', 'histories');

/** The names of queue and worker that every recording shows, whatever the real ones were. */
const taskQueue = 'steadfast';
const identity = 'worker';

/** Reads all recorded histories, in the JSON of `temporal workflow show --output json`. */
export function readHistories(): { name: string; text: string }[] {
  return readdirSync(folder)
    .sort()
    .map((file) => ({
      name: file.replace(/\.json$/, ''),
      text: readFileSync(join(folder, file), 'utf8'),
    }));
}

/** A history in the form that the replayer needs. The order's id is in its first event. */
export function parseHistory(text: string): { workflowId: string; history: History } {
  const history = historyFromJson(JSON.parse(text));
  const start = history.events?.[0]?.workflowExecutionStartedEventAttributes;
  return { workflowId: start?.workflowId ?? '', history };
}

/** A history in Temporal's JSON, one event per line, without details of the recording machine. */
export function withoutMachine(history: History, recordedQueue: string): string {
  const lines = historyToJson(history).events.map((event) =>
    JSON.stringify(event, (field, value: unknown) => {
      if (field === 'stackTrace') return undefined;
      return field === 'identity' ? identity : value;
    }),
  );
  const text = `{"events":[\n${lines.join(',\n')}\n]}\n`;
  return text.replaceAll(recordedQueue, taskQueue);
}

/** The history as plain text, so that a test can search orders and answers in it. */
export function textOf(history: string): string {
  return JSON.stringify(JSON.parse(history), (_, value: unknown) => {
    const isPayload = isRecord(value) && isRecord(value.metadata) && typeof value.data === 'string';
    if (!isPayload) return value;
    return Buffer.from(String(value.data), 'base64').toString('utf8');
  }).replaceAll('\\"', '"');
}
