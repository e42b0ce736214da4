import { openLines } from '../../../src/client/lines/linesFile';
import { survey, surveyedLines } from '../../../src/client/lines/survey';
import type { ReadLine } from '../../../src/orders/payout';
import { runCli } from '../../cli/runCli';
import { filesOfLines } from '../../client/lines/linesOf';

const files = filesOfLines();
afterAll(files.remove);
export const { write } = files;

export const wallet = '1f0c2a9e-7b1d-4c8e-9a54-0d6f3b2e8c17';
export const header = 'lineId,to,amount,token';
let count = 0;

type Content = string | Buffer;
type Asked = [name: string, content: Content, words: string, ...flags: string[]];

/** A dry run of a file: what it prints, without colours of a terminal. */
async function dry(name: string, content: Content, ...flags: string[]) {
  count += 1;
  const path = files.write(`${count}-${name}`, content);
  const args = ['payout', path, '--id', 'field', '--wallet', wallet, '--dry-run', ...flags];
  const { code, stderr } = await runCli(args);
  return { code, said: stderr.replaceAll(path, name) };
}

/** The lines of a file that is accepted. */
export async function linesIn(name: string, content: Content, token?: string): Promise<ReadLine[]> {
  count += 1;
  const path = files.write(`${count}-${name}`, content);
  const file = openLines(path, { token, ignored: new Set<string>() });
  const lines: ReadLine[] = [];
  for await (const line of surveyedLines(file, await survey(file))) lines.push(line);
  return lines;
}

/** Refuses a file before anything moves, and returns what it says. */
export async function refused(...[name, content, words, ...flags]: Asked) {
  const { code, said } = await dry(name, content, ...flags);
  expect({ code, said }).toEqual({ code: 2, said: expect.stringContaining(words) });
  return said;
}

/** Accepts a file, and says so. */
export async function accepted(...[name, content, words, ...flags]: Asked) {
  const { code, said } = await dry(name, content, ...flags);
  expect({ code, said }).toEqual({ code: 0, said: expect.stringContaining(words) });
}
