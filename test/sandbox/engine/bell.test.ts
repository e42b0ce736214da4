import { setTimeout as sleep } from 'node:timers/promises';
import { createBell } from '../../../sandbox/engine/bell';

describe('a bell', () => {
  it('lets one sleep, however long a pause is asked for', async () => {
    const bell = createBell();
    const slept = bell.wait(2 ** 40).then(() => 'awake');
    expect(await Promise.race([slept, sleep(50, 'asleep')])).toBe('asleep');
    bell.ring();
    expect(await slept).toBe('awake');
  });
});
