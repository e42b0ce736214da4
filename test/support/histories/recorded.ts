import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { temporal } from '@temporalio/proto';
import { isRecord } from '../../../src/custody/isRecord';
import { historyFromJson, historyToJson } from './historyJson';

export type History = temporal.api.history.v1.IHistory;

export const folder = join(__dirname, '..', '..', 'workflows', 'histories');

/** The queue and the worker that all recorded orders had, whatever they were called. */
const taskQueue = 'steadfast';
const identity = 'worker';

/** Every recorded history by its name, as `temporal workflow show --output json` writes it. */
export function readHistories(): { name: string; text: string }[] {
  return readdirSync(folder)
    .sort()
    .map((file) => ({
      name: file.replace(/\.json$/, ''),
      text: readFileSync(join(folder, file), 'utf8'),
    }));
}

/** A history as the replayer wants it. The order's id is in its first event. */
export function parseHistory(text: string): { workflowId: string; history: History } {
  const history = historyFromJson(JSON.parse(text));
  const start = history.events?.[0]?.workflowExecutionStartedEventAttributes;
  return { workflowId: start?.workflowId ?? '', history };
}

/** A history in Temporal's JSON, an event a line, without what tells where it was recorded. */
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

/** A history to search in: what orders were given and what they answered is in plain text. */
export function textOf(history: string): string {
  return JSON.stringify(JSON.parse(history), (_, value: unknown) => {
    const isPayload = isRecord(value) && isRecord(value.metadata) && typeof value.data === 'string';
    if (!isPayload) return value;
    return Buffer.from(String(value.data), 'base64').toString('utf8');
  }).replaceAll('\\"', '"');
}
