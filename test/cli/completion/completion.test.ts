import { execFile, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { commandPlaces } from '../../../src/cli/completion/places';
import { createProgram } from '../../../src/cli/program';
import { newFolder } from '../../support/jest/setUp';
import { missingPrograms } from '../../support/missingPrograms';
import { runCli } from '../runCli';

const run = promisify(execFile);
const folder = newFolder();

async function scriptOf(shell: string): Promise<string> {
  const { stdout, code } = await runCli(['completion', shell]);
  expect(code).toBe(0);
  const path = join(folder, `steadfast.${shell}`);
  writeFileSync(path, stdout);
  return path;
}

/** The words that bash offers for the last word of a command line. */
async function offered(path: string, ...words: string[]): Promise<string[]> {
  const line = ['steadfast', ...words].map((word) => `'${word}'`).join(' ');
  const { stdout } = await run('bash', [
    '-c',
    `source ${path}; COMP_WORDS=(${line}); COMP_CWORD=${words.length}; _steadfast; ` +
      `printf '%s\\n' "\${COMPREPLY[@]}"`,
  ]);
  return stdout.trim().split('\n').sort();
}

it('bash offers the commands, subcommands and flags that fit', async () => {
  const path = await scriptOf('bash');
  expect(await offered(path, 'pay')).toEqual(['payout']);
  expect(await offered(path, 'wal')).toEqual(['wallet', 'wallets']);
  expect(await offered(path, 'payout', 're')).toEqual(['results', 'retry']);
  expect(await offered(path, 'payout', 'retry', 'january', '--t')).toEqual(['--timeout']);
  expect(await offered(path, 'list', '--kind', 'payout', '--re')).toEqual(['--reference']);
  expect(await offered(path, 'list', 'nothing-such')).toEqual(['']);
});

const shells = ['bash', 'zsh', 'fish'];
const missing = missingPrograms(shells);

it.each(shells)('%s has every command of the program', async (shell) => {
  const { stdout } = await runCli(['completion', shell]);
  const places = commandPlaces(createProgram(() => {}));
  const words = places.flatMap(({ commands }) => commands.map(({ word }) => word));
  expect(words).toContain('paid');
  expect(words.filter((word) => !stdout.includes(word))).toEqual([]);
});

for (const shell of shells) {
  // A machine without the shell tells that nobody has parsed its script there.
  (missing.includes(shell) ? it.skip : it)(`${shell} parses its script`, async () => {
    const path = await scriptOf(shell);
    const { status, stderr } = spawnSync(shell, ['-n', path], { encoding: 'utf8' });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  });
}

it('another shell is refused with those that there are', async () => {
  const { code, stderr } = await runCli(['completion', 'tcsh']);
  expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining('zsh') });
});
