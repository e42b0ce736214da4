import { comparedShown } from '../../../src/console/approvals/comparedShown';
import { comparing } from '../../../src/console/approvals/comparing';
import { search } from '../../../src/console/page/search';
import type { ConsoleParts } from '../../../src/console/parts';
import { BadOrderError } from '../../../src/orders/input/read';
import type { LineResult } from '../../../src/orders/payout';
import { someone } from '../../support/stages';

const [ann, bo] = [someone() ?? '', someone() ?? ''];
const id = 'payout:salaries-12';
const begun = '2026-12-01T12:00:00.000Z';
const lines = [{ lineId: 'a', to: ann, amount: '5', token: 'USDC' }];

type Earlier = {
  at?: string;
  again?: string;
  paid?: string;
  failed?: string;
  throws?: Error;
  isFar?: boolean;
};

/** Compares a payout with others, as Temporal tells these. */
function compared(others: Record<string, Earlier>, { wanted = '', fails = false } = {}) {
  const run = (workflowId: string, at: string) => ({
    workflowId,
    kind: 'payout',
    startedAt: at,
    execution: 'COMPLETED',
    closedAt: at,
  });
  const all = Object.entries(others).flatMap(
    ([workflowId, { at = '2026-11-01T12:00:00.000Z', again }]) =>
      (again === undefined ? [at] : [again, at]).map((moment) => run(workflowId, moment)),
  );
  const line = (to: string, amount: string | undefined, outcome: LineResult['outcome']) =>
    amount === undefined ? [] : [{ lineId: to, to, amount, token: 'USDC', outcome }];
  const steadfast = {
    list: async () => {
      if (fails) throw new BadOrderError('Temporal lists nothing.');
      return all.filter(({ workflowId }) => others[workflowId]?.isFar !== true);
    },
    status: async (one: string) => {
      const found = all.find(({ workflowId }) => workflowId === one);
      if (found === undefined) throw new BadOrderError(`There is no order "${one}".`);
      return found;
    },
    payoutLines: async function* (one: string) {
      const { paid, failed, throws } = others[one] ?? {};
      if (throws !== undefined) throw throws;
      yield* [...line(ann, paid, 'paid'), ...line(bo, failed, 'failed')];
    },
  };
  const isOwn = (workflowId: string) => !workflowId.startsWith('other:');
  const compare = comparing({ steadfast, isOwn } as unknown as ConsoleParts);
  return compare({ id, startedAt: begun, lines, wanted });
}

const same = { changes: [], same: 1 };

it('only what was paid is compared with', async () => {
  const found = await compared({ 'payout:salaries-11': { paid: '5', failed: '7' } });
  expect(found).toMatchObject({ beside: 'payout:salaries-11', changes: same });
});

it.each([
  ['began later', { at: '2026-12-02T12:00:00.000Z', paid: '9' }],
  ['paid nothing', { failed: '9' }],
  ['does not answer', { throws: new BadOrderError('No worker answers.') }],
])('a newer payout of the family that %s is passed over', async (_, newer) => {
  const found = await compared({
    'payout:salaries-99': newer,
    'payout:salaries-11': { paid: '5' },
  });
  expect(found).toMatchObject({ beside: 'payout:salaries-11', changes: same });
});

it('a payout whose line was sent again since is still an earlier one', async () => {
  const others = { 'payout:salaries-11': { again: '2026-12-03T12:00:00.000Z', paid: '5' } };
  const found = { beside: 'payout:salaries-11', changes: same };
  expect(await compared(others)).toMatchObject(found);
  expect(await compared(others, { wanted: 'payout:salaries-11' })).toMatchObject(found);
});

it('a payout that began later is not offered', async () => {
  const found = await compared({
    'payout:rent': { at: '2026-12-02T12:00:00.000Z', paid: '9' },
    'payout:bonus': { paid: '5' },
    'other:payout:bonus': { paid: '5' },
  });
  expect(found).toMatchObject({ beside: '', others: ['payout:bonus'] });
});

it('a payout that is named is looked up by its id, though it is not listed', async () => {
  const others = { 'payout:old': { paid: '5', isFar: true }, 'payout:salaries-11': { paid: '9' } };
  expect(await compared(others, { wanted: 'payout:old' })).toMatchObject({
    beside: 'payout:old',
    others: ['payout:old', 'payout:salaries-11'],
    changes: same,
  });
});

it.each([
  ['is of another scope', 'other:payout:old', 'is no earlier payout'],
  ['began later', 'payout:later', 'is no earlier payout'],
  ['is unknown', 'payout:none', 'There is no order "payout:none".'],
  ['does not answer', 'payout:away', 'No worker answers.'],
  ['paid nothing', 'payout:failed', 'has paid no line'],
])('a payout that is named and %s is told in a sentence', async (_, wanted, words) => {
  const others = {
    'other:payout:old': { paid: '5' },
    'payout:later': { at: '2026-12-02T12:00:00.000Z', paid: '9' },
    'payout:away': { throws: new BadOrderError('No worker answers.') },
    'payout:failed': { failed: '9' },
  };
  const found = await compared(others, { wanted });
  expect(found?.fault).toContain(words);
  const text = textOf(found);
  expect(text).toContain('<select name="beside">');
  expect(text).toContain('class="warn"');
});

it('what changed says that nobody has verified what Temporal tells of the earlier payout', async () => {
  const found = await compared({ 'payout:salaries-11': { paid: '4' } });
  const text = textOf(found);
  expect(text).toContain('1 payee with another sum');
  expect(text).toContain('Nobody has verified that it was paid');
});

it('a list that cannot be read is a sentence', async () => {
  expect(await compared({}, { fails: true })).toMatchObject({ fault: 'Temporal lists nothing.' });
});

/** The section of the page, as HTML. */
function textOf(found: Awaited<ReturnType<typeof compared>>): string {
  return comparedShown(found ?? { beside: '', others: [] }, {
    path: '/approvals/a',
    nameOf: () => undefined,
    search: search.parse({}),
  }).text;
}
