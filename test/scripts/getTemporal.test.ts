import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildTemporal } from '../../scripts/getTemporal';

const { PATH } = process.env;
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'steadfast-build-'));
});
afterEach(() => {
  process.env.PATH = PATH;
  rmSync(folder, { recursive: true, force: true });
});

const sumInScript = /goSum = '(h1:[^']+)'/;

/** A Go that has a source with that sum, and that notes what it installs. */
function placeGo(sum: string): void {
  const go = join(folder, 'go');
  const download = `echo '{ "Path": "x", "Sum": "${sum}" }'`;
  writeFileSync(
    go,
    `#!/bin/sh
case "$1" in
  mod) ${download}; echo "go: downloading" >&2 ;;
  install) echo "$@" > ${join(folder, 'installed')} ;;
esac
`,
  );
  chmodSync(go, 0o755);
  process.env.PATH = `${folder}:/bin:/usr/bin`;
}

test('a source of the Temporal server with another sum is not built', async () => {
  placeGo('h1:another');
  expect(await buildTemporal(folder)).toBeUndefined();
  expect(existsSync(join(folder, 'installed'))).toBe(false);
});

test('the source of the Temporal server is built in the version that has this sum', async () => {
  const text = readFileSync(join(__dirname, '..', '..', 'scripts', 'getTemporal.js'), 'utf8');
  placeGo(sumInScript.exec(text)?.[1] ?? 'none');
  expect(await buildTemporal(folder)).toBe(join(folder, 'temporal'));
  const installed = readFileSync(join(folder, 'installed'), 'utf8');
  expect(installed).toMatch(/github\.com\/temporalio\/cli\/cmd\/temporal@v1\.5\.1$/m);
});
