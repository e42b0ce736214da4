import { createInterface } from 'node:readline';
import type { Terminal } from './show/voice';

/** Asks a question for yes or no. Leaving means no. */
export function askYesNo(question: string, { stdin, stderr }: Terminal): Promise<boolean> {
  const lines = createInterface({ input: stdin, output: stderr });
  return new Promise((resolve) => {
    const leave = (): void => {
      stderr.write('\n');
      resolve(false);
    };
    lines.once('close', leave);
    lines.question(`${question} [y/N] `, (answer) => {
      lines.off('close', leave).close();
      resolve(/^y(es)?$/i.test(answer.trim()));
    });
  });
}

/** True where a question reaches a person. */
export function isSomebodyThere({ stdin, stderr }: Terminal): boolean {
  return stdin.isTTY === true && stderr.isTTY === true;
}
