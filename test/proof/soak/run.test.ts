import { soak } from '../../../proof/soak/run';

test('a short soak finds nothing, whatever was killed and whatever went wrong', async () => {
  const report = await soak({
    minutes: 0.25,
    seed: 3,
    atOnce: 20,
    walletsEach: 2,
    tell: () => {},
  });
  expect(report.findings).toEqual([]);
  expect(report.orders.filter(({ end }) => end?.outcome === 'completed').length).toBeGreaterThan(
    20,
  );
  expect([...report.kills.values()].reduce((sum, count) => sum + count, 0)).toBeGreaterThan(0);
  expect(Object.values(report.faults).reduce((sum, count) => sum + count, 0)).toBeGreaterThan(5);
  expect(Object.values(report.lies).reduce((sum, count) => sum + count, 0)).toBeGreaterThan(5);
});
