import { createPlaces } from '../../../../sandbox/store/records/places';
import { openStore } from '../../../../sandbox/store/store';

test('a new wallet set has a place that none has had, in whatever order they were stored', () => {
  const store = openStore(undefined);
  for (const index of [0, 2, 1]) {
    store.walletSets.insert({ id: `set ${index}`, index, name: '', createdAtMs: 0 });
  }
  const places = createPlaces(store);
  expect([places.nextSet(), places.nextSet()]).toEqual([3, 4]);
  store.close();
});
