import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import type { z } from 'zod';
import { type AccountAsked, accountKind } from '../../client/account/asked';
import { Refusal } from '../refusal';

/** Temporal has this long to accept a question. */
const acceptedMs = 5_000;
/** A question that no worker takes up ends by itself. */
const lastsMs = 20_000;
/** A statement of many days on a slow node takes minutes. */
const statementLastsMs = 600_000;

export type AskingWorkers = ReturnType<typeof askingWorkers>;

/**
 * Asks workers about the account, by a workflow that only reads. Its id is new each time, so that
 * nobody can answer ahead of it.
 */
export function askingWorkers({
  client,
  taskQueue,
  keyScope,
}: {
  client: Client;
  taskQueue: string;
  keyScope: string;
}) {
  const scope = keyScope === '' ? '' : `${keyScope}:`;
  return async <Schema extends z.ZodType>(
    asked: AccountAsked,
    schema: Schema,
  ): Promise<z.output<Schema>> => {
    const { about } = asked;
    const run = await client.withDeadline(Date.now() + acceptedMs, () =>
      client.workflow.start(accountKind, {
        workflowId: `${scope}account:${about}:${randomUUID()}`,
        taskQueue,
        args: [asked],
        workflowExecutionTimeout: about === 'statement' ? statementLastsMs : lastsMs,
        staticSummary: `read for the console: ${about}`,
      }),
    );
    const read = schema.safeParse(await run.result());
    if (read.success) return read.data;
    throw new Refusal(503, 'A worker has told something that no page can show.');
  };
}

/** Waits no longer than that. Throws a Refusal with these words after it. */
export async function answerWithin<Told>(
  ms: number,
  told: Promise<Told>,
  late: string,
): Promise<Told> {
  const timer = new AbortController();
  const ended = sleep(ms, undefined, { signal: timer.signal, ref: false }).then(
    () => Promise.reject(new Refusal(503, late)),
    () => told,
  );
  try {
    return await Promise.race([told, ended]);
  } finally {
    timer.abort();
  }
}
