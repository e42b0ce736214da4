import { explore } from '../../../../proof/model/explore';
import { product } from '../../../../proof/model/machines';
import { payoutGame } from '../../../../proof/model/payout/payout';
import { refining } from '../../../../proof/model/payout/refine';
import {
  largePayouts,
  payoutFaults,
  promised,
  smallPayouts,
} from '../../../../proof/model/payout/scopes';
import { smallScopes } from '../../../../proof/model/scopes';
import { writeGame } from '../../../../proof/model/write';
import { times } from '../../../support/lane';

const statesMax = times({ short: 12_000, all: 40_000 });
const isLarge = times({ short: 0, all: 1 }) === 1;
const scopes = isLarge ? [...smallPayouts, ...largePayouts] : smallPayouts;

describe('the abstract write of a payout', () => {
  test.each(smallScopes)('$name: does all that the machine does', (scope) => {
    const { hears, checked } = refining();
    const bound = times({ short: 2_500, all: 40_000 });
    expect(explore(writeGame(product, scope, hears), { statesMax: bound }).broken).toBeUndefined();
    expect(checked()).toBeGreaterThan(100);
  });
});

describe('a payout in every world', () => {
  test.each(scopes)('$name: keeps every promise, and each state has a way out', (scope) => {
    const explored = explore(payoutGame({ scope, promises: promised }), { statesMax });
    expect(explored.broken).toBeUndefined();
    expect(explored.states).toBeGreaterThan(10_000);
  });

  test.each(payoutFaults)('$name: breaks a promise, and the story says how', (fault) => {
    const { breaks, scope } = fault;
    const promises = { ...promised, [breaks]: false };
    const { broken } = explore(payoutGame({ scope, promises }), { statesMax: 20_000 });
    expect(broken?.story[0]).toMatch(/^The payout is started/);
  });

  test.each(payoutFaults)('$name: the same world keeps every promise without it', ({ scope }) => {
    const bound = times({ short: 3_000, all: 20_000 });
    const explored = explore(payoutGame({ scope, promises: promised }), { statesMax: bound });
    expect(explored.broken).toBeUndefined();
  });
});
