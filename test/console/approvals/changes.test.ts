import { changesBetween } from '../../../src/console/approvals/changes';
import { someone } from '../../support/stages';

const [ann, bo, cy, dee] = [someone(), someone(), someone(), someone()];
const pays = (to: string | undefined, amount: string, token = 'USDC') => {
  return { to: to ?? '', amount, token };
};

test('new payees, payees who are left out, and other sums are told, and equal sums are counted', () => {
  const before = [pays(ann, '1'), pays(bo, '2'), pays(cy, '3')];
  const now = [pays(ann, '1.0'), pays(bo, '2.5'), pays(dee, '4')];
  expect(changesBetween(before, now)).toEqual({
    changes: [
      { to: dee, token: 'USDC', now: '4' },
      { to: cy, token: 'USDC', before: '3' },
      { to: bo, token: 'USDC', before: '2', now: '2.5' },
    ],
    same: 1,
  });
});

test('lines of one payee are summed, in whatever letters and face of the coin', () => {
  const before = [pays(ann, '1.5')];
  const now = [pays(ann?.toLowerCase(), '1'), pays(ann, '0.5', 'native')];
  expect(changesBetween(before, now)).toEqual({ changes: [], same: 1 });
});

test('another token of the same payee is another payment', () => {
  const { changes } = changesBetween([pays(ann, '1')], [pays(ann, '1', 'EURC')]);
  expect(changes).toEqual([
    { to: ann, token: 'EURC', now: '1' },
    { to: ann, token: 'USDC', before: '1' },
  ]);
});
