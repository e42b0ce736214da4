import { execFileSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
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
  for (const folder of ['scripts', 'src/cli', 'src/privacy', 'node_modules']) {
    mkdirSync(join(checkout, folder), { recursive: true });
  }
  for (const name of ['steadfast.js', 'bundleCli.js']) {
    cpSync(join(root, 'scripts', name), join(checkout, 'scripts', name));
  }
  const esbuild = ['node_modules', 'esbuild'];
  symlinkSync(join(root, ...esbuild), join(checkout, ...esbuild));
  write('src/privacy/failureConverter.ts', '');
  write('src/cli/main.ts', "import { word } from './word';\nconsole.log(word);\n");
});

afterAll(() => rmSync(checkout, { recursive: true }));

function write(path: string, text: string): void {
  writeFileSync(join(checkout, path), text);
}

function run(): string {
  const program = join(checkout, 'scripts', 'steadfast.js');
  return execFileSync(process.execPath, [program, 'list'], { encoding: 'utf8' }).trim();
}

it('a checkout runs its sources as they are now, whatever was bundled of them before', () => {
  write('src/cli/word.ts', "export const word: string = 'one';\n");
  expect(run()).toBe('one');
  write('src/cli/word.ts', "export const word: string = 'two';\n");
  expect(run()).toBe('two');
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
