import type { StackParts } from '../../stack/startStack';

const shownLinesMax = 15;

/** Rejects when a process of the stack ends by itself. The error names it and has its last lines. */
export function untilBroken(parts: StackParts, logFolder?: string): Promise<never> {
  const { temporal, sandbox, worker, webhooks } = parts;
  const children = [
    ['Temporal', temporal, 'temporal'],
    ['The sandbox', sandbox, 'sandbox'],
    ['The worker', worker, 'worker'],
    ...(webhooks === undefined ? [] : [['The receiver', webhooks, 'webhooks'] as const]),
  ] as const;
  return Promise.race(
    children.map(async ([name, child, part]): Promise<never> => {
      const code = await child.exited;
      const how = code === null ? 'by a signal' : `with exit code ${code}`;
      const log = logFolder === undefined ? '' : ` Its log is ${logFolder}/${part}.log.`;
      const lines = child.lastLines().slice(-shownLinesMax);
      const last = lines.length === 0 ? '' : ` Its last lines:\n${lines.join('\n')}`;
      throw new Error(`${name} ended by itself, ${how}.${log}${last}`);
    }),
  );
}
