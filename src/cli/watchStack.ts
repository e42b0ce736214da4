import type { StackParts } from '../stack/startStack';

const shownLinesMax = 15;

/**
 * Rejects when a process of the stack ends by itself, with its last lines: what a local run can do
 * no more without it, and the reason is in there.
 */
export function untilBroken(parts: StackParts): Promise<never> {
  const { temporal, sandbox, worker } = parts;
  return Promise.race(
    Object.entries({ Temporal: temporal, 'The sandbox': sandbox, 'The worker': worker }).map(
      async ([name, child]): Promise<never> => {
        const code = await child.exited;
        const lines = child.lastLines().slice(-shownLinesMax).join('\n');
        throw new Error(`${name} ended by itself (exit code ${code}). Its last lines:\n${lines}`);
      },
    ),
  );
}
