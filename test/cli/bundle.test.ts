import { execFileSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(__dirname, '..', '..');
const checkout = mkdtempSync(join(tmpdir(), 'steadfast-checkout-'));
const index = join(checkout, 'node_modules', '.cache', 'steadfast', 'cli.json');

beforeAll(() => {
  for (const folder of ['scripts', 'src/cli', 'src/client/privacy', 'node_modules']) {
    mkdirSync(join(checkout, folder), { recursive: true });
  }
  for (const name of ['steadfast.js', 'bundleCli.js', 'typescript.js']) {
    cpSync(join(root, 'scripts', name), join(checkout, 'scripts', name));
  }
  mkdirSync(join(checkout, 'node_modules', '@swc'));
  for (const name of ['esbuild', '@swc/core']) {
    symlinkSync(join(root, 'node_modules', name), join(checkout, 'node_modules', name));
  }
  write('src/client/privacy/failureConverter.ts', '');
  write('src/cli/main.ts', "import { word } from './word';\nconsole.log(word);\n");
});

afterAll(() => rmSync(checkout, { recursive: true }));

function write(path: string, text: string): void {
  writeFileSync(join(checkout, path), text);
}

/** Runs a command. By default it is one that is bundled. */
function run(command = 'list'): string {
  const program = join(checkout, 'scripts', 'steadfast.js');
  return execFileSync(process.execPath, [program, command], { encoding: 'utf8' }).trim();
}

it.each(['list', 'worker'])(
  'a checkout runs its sources as they are now, whatever was compiled before: %s',
  (command) => {
    write('src/cli/word.ts', "export const word: string = 'one';\n");
    expect(run(command)).toBe('one');
    write('src/cli/word.ts', "export const word: string = 'two';\n");
    expect(run(command)).toBe('two');
  },
);

it('a bundle has what would be loaded without it, also when another file hides a source', () => {
  write('src/cli/word.js', "exports.word = 'hidden';\n");
  expect(run()).toBe('two');
  rmSync(join(checkout, 'src/cli/word.ts'));
  expect(run()).toBe('hidden');
});

it('a bundle is made once, as long as no source changes', async () => {
  // A file that has changed just now may still be changing, and its bundle is not kept.
  await new Promise((resolve) => setTimeout(resolve, 200));
  run();
  const { mtimeMs } = statSync(index);
  run();
  run();
  expect(statSync(index).mtimeMs).toBe(mtimeMs);
});

it('a source of a long-running program is compiled once, as long as it does not change', () => {
  run('worker');
  const compiled = join(checkout, 'node_modules', '.cache', 'steadfast', 'compiled');
  const times = () => readdirSync(compiled).map((name) => statSync(join(compiled, name)).mtimeMs);
  const before = times();
  run('worker');
  expect(times()).toEqual(before);
  expect(before).not.toEqual([]);
});

it('an error of a long-running program names the line of the source', () => {
  rmSync(join(checkout, 'src/cli/word.js'));
  write('src/cli/word.ts', "type Removed = {\n  line: 1;\n};\nthrow new Error('here');\n");
  expect(() => run('worker')).toThrow(/word\.ts:4:7/);
});
