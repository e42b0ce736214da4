import { existsSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withLock } from '../../scripts/lock';
import { newFolder } from '../support/jest/setUp';

const folder = newFolder();
beforeEach(() => {
  jest.spyOn(process.stderr, 'write').mockReturnValue(true);
});

describe('withLock', () => {
  test('does one work after the other', async () => {
    const file = join(folder, 'one');
    const events: string[] = [];
    const work = (name: string) => async () => {
      events.push(`${name} begins`);
      await new Promise((resolve) => setTimeout(resolve, 20));
      events.push(`${name} ends`);
    };
    await Promise.all([withLock(file, work('first')), withLock(file, work('second'))]);
    expect(events).toEqual(['first begins', 'first ends', 'second begins', 'second ends']);
  });

  test('is free again after work that failed', async () => {
    const file = join(folder, 'two');
    const failing = withLock(file, () => Promise.reject(new Error('no disk')));
    await expect(failing).rejects.toThrow('no disk');
    expect(existsSync(file)).toBe(false);
  });

  test('takes over what a dead process left behind', async () => {
    const file = join(folder, 'three');
    writeFileSync(file, '1\n');
    const past = Date.now() / 1000 - 60;
    utimesSync(file, past, past);
    expect(await withLock(file, async () => 'done')).toBe('done');
  });
});
