import { join } from 'node:path';
import { explore } from '../../../proof/model/explore';
import { ledgerGame } from '../../../proof/model/ledger/ledger';
import { ledgerFaults } from '../../../proof/model/ledger/planted';
import { ledgerScopes } from '../../../proof/model/ledger/scopes';
import { ledgerWith } from '../../../proof/model/machines';
import { times } from '../../support/lane';

const root = join(__dirname, '..', '..', '..');

describe('a ledger in every world', () => {
  test.each(ledgerScopes)('$name: no window is passed, and no reservation leaks', (scope) => {
    const explored = explore(ledgerGame(scope), {
      statesMax: times({ short: 800, all: 4_000 }),
    });
    expect(explored.broken).toBeUndefined();
    expect(explored.states).toBeGreaterThan(200);
  });
});

describe('a planted fault', () => {
  test.each(ledgerFaults)('$name: breaks a promise, and the story says how', async (fault) => {
    const rules = await ledgerWith(fault.edits, root);
    const { broken } = explore(ledgerGame(fault.scope, rules), { statesMax: 10_000 });
    expect(broken?.story.length).toBeGreaterThan(1);
  });
});
