import { createInterface } from 'node:readline';

/** Asks a person a question that is answered with yes or no; leaving is a no. */
export function ask(question: string): Promise<boolean> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  return new Promise((resolve) => {
    const leave = (): void => {
      process.stderr.write('\n');
      resolve(false);
    };
    lines.once('close', leave);
    lines.question(`${question} [y/N] `, (answer) => {
      lines.off('close', leave).close();
      resolve(/^y(es)?$/i.test(answer.trim()));
    });
  });
}

/** Whether somebody is there who can be asked. */
export function isSomebodyThere(): boolean {
  return process.stdin.isTTY === true && process.stderr.isTTY === true;
}
