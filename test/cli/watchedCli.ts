import { PassThrough } from 'node:stream';
import { run } from '../../src/cli/run';
import type { Ran } from './runCli';

/** A stream of a terminal, and what was written to it. */
function screen() {
  const stream = Object.assign(new PassThrough(), { isTTY: true });
  const chunks: Buffer[] = [];
  stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  return Object.assign(stream, { text: () => Buffer.concat(chunks).toString('utf8') });
}

/** Runs a command on a terminal, in front of a person who gives these answers. */
export async function watchedCli(
  args: readonly string[],
  env: Record<string, string>,
  ...answers: string[]
): Promise<Ran> {
  const stdin = Object.assign(new PassThrough(), { isTTY: true });
  const [stdout, stderr] = [screen(), screen()];
  stderr.on('data', (chunk: Buffer) => {
    if (String(chunk).includes('[y/N]')) stdin.write(`${answers.shift() ?? 'n'}\n`);
  });
  const { PATH = '', HOME = '' } = process.env;
  const code = await run(args, { env: { PATH, HOME, ...env }, stdin, stdout, stderr });
  return { code: code ?? null, stdout: stdout.text(), stderr: stderr.text() };
}
