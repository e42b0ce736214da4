import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The calls that stop what tests have started, oldest first. */
const running: (() => unknown)[] = [];

/** Stops what a file or a group of tests has started, newest first, after its last test. */
export function stopAfterTests(): void {
  let before = 0;
  beforeAll(() => {
    before = running.length;
  });
  afterAll(async () => {
    while (running.length > before) await running.pop()?.();
  });
}

/** Stops something after the tests, before all that was started earlier. */
export function stopLater(stop: () => unknown): void {
  running.push(stop);
}

/**
 * Makes something before the tests of a file or a group, and stops it after them. Returns a copy,
 * which is empty until then.
 */
export function setUp<Made extends object>(make: () => Promise<Made>): Made {
  const copy = {} as Made & { stop?: () => unknown };
  stopAfterTests();
  beforeAll(async () => {
    Object.assign(copy, await make());
    stopLater(() => copy.stop?.());
  });
  return copy;
}

/** An empty folder for the tests of a file or a group, which is removed after them. */
export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'steadfast-'));
  stopAfterTests();
  beforeAll(() => stopLater(() => rmSync(folder, { recursive: true, force: true })));
  return folder;
}
