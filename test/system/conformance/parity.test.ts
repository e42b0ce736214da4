import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Endpoint, endpoints } from '../../../src/custody/endpoints';
import { amendments, furtherStatuses } from './description/amendments';
import { holdTable } from './description/parityPage';

const root = join(__dirname, '..', '..', '..');
const page = readFileSync(join(root, 'docs/parity.md'), 'utf8');
/** The part of the page before the tables that test runs write. */
const [text = ''] = page.split('\n## Where the hosted descriptions');
const words = ['same', 'differs', 'not known', 'not built yet'];

/** Table rows, without their heads. */
const rows = text
  .split('\n')
  .filter((line) => line.startsWith('| ') && !/^\| (Endpoint|Rule) \|/.test(line))
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .map(([, subject = '', parity = '', how = '']) => ({ subject, parity, how }));

/** The rows about endpoints, by method and path. */
const parities = new Map(
  rows
    .map(({ subject, parity }) => [subject.match(/^`([A-Z]+ \S+)`$/)?.[1], parity] as const)
    .filter((row): row is readonly [string, string] => row[0] !== undefined),
);

const built = Object.values<Endpoint>(endpoints).map(
  ({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`,
);

describe('the page on parity', () => {
  it('has a row for every endpoint that is built, and says so', () => {
    const wrong = built.filter((endpoint) => {
      const parity = parities.get(endpoint);
      return parity === undefined || parity === 'not built yet';
    });
    expect(wrong).toEqual([]);
  });

  it('says of every other endpoint that it is not built yet', () => {
    const others = [...parities].filter(([endpoint]) => !built.includes(endpoint));
    expect(others.filter(([, parity]) => parity !== 'not built yet')).toEqual([]);
  });

  it('has one of four words in each row, and an explanation when it is not "same"', () => {
    const unsaid = ({ parity, how }: (typeof rows)[number]) =>
      !words.includes(parity) || (['differs', 'not known'].includes(parity) && how === '');
    expect(rows.length).toBeGreaterThan(built.length);
    expect(rows.filter(unsaid)).toEqual([]);
  });

  it("names a test that exists for each case of people's clients", () => {
    const [, cases = ''] = page.split("\n## What people's clients do\n");
    const told = cases.split('\n## ')[0]?.matchAll(/^\| (\d+) \|.*\| ([^|]+) \|$/gm) ?? [];
    const found = [...told].map(([, number = '', names = '']) => {
      const files = [...names.matchAll(/`([^`]+)`/g)].map(([, name = '']) =>
        name.includes('/') ? name : `test/system/field/clients/${name}`,
      );
      const areThere = files.length > 0 && files.every((name) => existsSync(join(root, name)));
      return [number, areThere];
    });
    expect(found).toEqual(Array.from({ length: 20 }, (_, at) => [`${at + 1}`, true]));
  });

  it('lists all allowed differences from the hosted descriptions', () => {
    const places = amendments.map(({ documents, at, add, reason }) => [
      documents.length === 3 ? 'all three' : documents.map((name) => `\`${name}\``).join(', '),
      `\`${at.filter((key) => !['components', 'schemas', 'properties'].includes(key)).join(' › ')}\``,
      `\`${JSON.stringify(add)}\``,
      reason,
    ]);
    const statuses = Object.entries(furtherStatuses)
      .filter(([, further]) => further.statuses.length > 0)
      .map(([name, { statuses, reason }]) => [
        `\`${name}\``,
        'statuses',
        statuses.join(', '),
        reason,
      ]);
    holdTable('amendments', [['File', 'Where', 'Added', 'Why'], ...places, ...statuses]);
  });
});
