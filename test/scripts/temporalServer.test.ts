import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { temporalServer } from '../../scripts/temporalServer';

const folder = mkdtempSync(join(tmpdir(), 'steadfast-server-'));
const { PATH, XDG_CACHE_HOME } = process.env;

/** A program in that folder that answers `--version` like a Temporal server of that version. */
function place(path: string, version: string): string {
  const file = join(folder, path, 'temporal');
  mkdirSync(join(folder, path), { recursive: true });
  writeFileSync(file, `#!/bin/sh\necho "temporal version 1.0 (Server ${version}, UI 2.0)"\n`);
  chmodSync(file, 0o755);
  return file;
}

beforeEach(() => {
  process.env.PATH = [join(folder, 'old'), join(folder, 'new'), '/bin'].join(':');
  process.env.XDG_CACHE_HOME = join(folder, 'cache');
});
afterAll(() => {
  process.env.PATH = PATH;
  if (XDG_CACHE_HOME === undefined) delete process.env.XDG_CACHE_HOME;
  else process.env.XDG_CACHE_HOME = XDG_CACHE_HOME;
  rmSync(folder, { recursive: true, force: true });
});

describe('temporalServer', () => {
  test('takes the cached copy when there is none on PATH', async () => {
    const cached = place('cache/steadfast/bin', '1.29.1');
    expect(await temporalServer()).toBe(cached);
  });

  test('takes one on PATH that is new enough, and passes by an old one', async () => {
    place('old', '1.20.0');
    const wanted = place('new', '1.30.0');
    expect(await temporalServer()).toBe(wanted);
  });
});
