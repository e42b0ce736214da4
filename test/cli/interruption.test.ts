import { setTimeout as sleep } from 'node:timers/promises';
import { interruption } from '../../src/cli/interruption';

test('a timeout of weeks does not end the wait at once', async () => {
  const stop = interruption();
  try {
    stop.after(999_999 * 3_600_000);
    expect(await Promise.race([stop.stopped, sleep(100, 'waits')])).toBe('waits');
  } finally {
    stop.end();
  }
});

test('a timeout ends the wait when it is up', async () => {
  const stop = interruption();
  try {
    stop.after(20);
    expect(await stop.stopped).toBe('timeout');
  } finally {
    stop.end();
  }
});
