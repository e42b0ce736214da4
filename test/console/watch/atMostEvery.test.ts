import { atMostEvery } from '../../../src/console/watch/atMostEvery';

describe('a reading that is made once in a while', () => {
  const clock = { ms: 0 };
  let reads = 0;
  const read = atMostEvery(
    10_000,
    async () => {
      reads += 1;
      if (reads === 3) throw new Error('away');
      return reads;
    },
    () => clock.ms,
  );
  const many = () => Promise.allSettled(Array.from({ length: 50 }, () => read()));

  it('is made once for all who ask at the same time, and again after that', async () => {
    expect(await many()).toEqual(Array(50).fill({ status: 'fulfilled', value: 1 }));
    clock.ms = 9_999;
    expect(await read()).toBe(1);
    clock.ms = 10_000;
    expect(await read()).toBe(2);
  });

  it('is not repeated sooner after a failure', async () => {
    clock.ms = 30_000;
    const failed = await many();
    expect(failed.every(({ status }) => status === 'rejected')).toBe(true);
    expect(reads).toBe(3);
    clock.ms = 40_001;
    expect(await read()).toBe(4);
  });
});
