import { existsSync } from 'node:fs';
import { posix } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import type { Command } from 'commander';
import { proposedViews } from '../../docs/screenshots/views';
import { createProgram } from '../../src/cli/program';
import { idempotencyKey } from '../../src/custody/idempotencyKey';
import { templateIds } from '../../src/custody/objects/template';
import { orderKinds } from '../../src/orders/kinds';
import { statuses } from '../../src/orders/progress/status';
import { derivedPages } from '../orders/writeSchemas';
import { clientPage, undocumented } from '../support/package/clientPage';
import { installedLicences, isPermissive, licencesPage } from '../support/package/licences';
import { temporalAddress } from '../support/temporal';
import { read, repositoryPaths, root } from '../tidy/source';

const pages = repositoryPaths()
  .filter((path) => /^(README|SECURITY|CHANGELOG)\.md$/.test(path) || /^docs\/.+\.md$/.test(path))
  .map(read);

function textOf(path: string): string {
  return read(path).text;
}

/** The names that a page does not show in backticks. */
function missing(names: readonly string[], text: string): string[] {
  const quoted = new Set([...text.matchAll(/`([^`\n]+)`/g)].flatMap(([, code = '']) => code));
  const words = new Set([...quoted].flatMap((code) => [code, ...code.split(/[\s,]+/)]));
  return names.filter((name) => !words.has(name));
}

/** The variables that a file reads: the keys of its schemas. */
function variablesIn(path: string): string[] {
  const keys = textOf(path).matchAll(/^ {2}([A-Z][A-Z_]+): /gm);
  return [...keys].flatMap(([, name = '']) => name);
}

describe('links in the documentation', () => {
  const links = pages.flatMap(({ path, text }) =>
    [...withoutCode(text).matchAll(/\]\(([^)\s]+)\)/g)]
      .flatMap(([, target = '']) => target)
      .filter((target) => !/^https?:/.test(target))
      .map((target) => ({ path, target })),
  );

  test('point to an existing file and heading', () => {
    expect(links.length).toBeGreaterThan(50);
    expect(links.filter((link) => !leadsSomewhere(link))).toEqual([]);
  });

  test.each(['nowhere.md', '#no-such-heading', '../README.md#no-such-heading'])(
    'are found when they are broken: %s',
    (target) => {
      expect(leadsSomewhere({ path: 'docs/README.md', target })).toBe(false);
    },
  );

  test('in the index reach every page once', () => {
    const linked = links
      .filter(({ path }) => path === 'docs/README.md')
      .map(({ target }) => posix.join('docs', target));
    const others = pages.filter(({ path }) => /^docs\/(?!README)/.test(path));
    expect(others.map(({ path }) => path).filter((path) => !linked.includes(path))).toEqual([]);
    expect(linked.filter((path, at) => linked.indexOf(path) !== at)).toEqual([]);
  });
});

function leadsSomewhere({ path, target }: { path: string; target: string }): boolean {
  const [file = '', heading] = target.split('#');
  const whole = file === '' ? path : posix.join(posix.dirname(path), file);
  if (!existsSync(posix.join(root, whole))) return false;
  return heading === undefined || anchorsOf(textOf(whole)).includes(heading);
}

/** The anchors of a page's headings, as GitHub makes them. */
function anchorsOf(text: string): string[] {
  return [...withoutCode(text).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replace(/ /g, '-'),
  );
}

function withoutCode(text: string): string {
  return text.replace(/^ *```[\s\S]*?^ *```/gm, '');
}

describe('the README', () => {
  test('has at most 150 lines', () => {
    expect(textOf('README.md').trimEnd().split('\n').length).toBeLessThanOrEqual(150);
  });
});

/** True for pages that name files and commands to add. */
function isOfNewFiles(path: string): boolean {
  return /\/add-a-\w+\.md$/.test(path);
}

describe('files that pages name', () => {
  const name = /`((?:workflows|activities|src|sandbox|proof|test)\/[\w./-]*)`/g;
  const named = pages
    .filter(({ path }) => !isOfNewFiles(path) && !path.startsWith('CHANGELOG'))
    .flatMap(({ path, text }) => [...text.matchAll(name)].map(([, file = '']) => ({ path, file })));

  test('exist', () => {
    expect(named.length).toBeGreaterThan(50);
    expect(named.filter(({ file }) => !existsSync(posix.join(root, file)))).toEqual([]);
  });
});

describe('the reference of the command line', () => {
  const text = textOf('docs/reference/cli.md');
  /** The page's text about a command. Flags that six commands share stand there once. */
  const about = (name: string): string =>
    text.split(/^### /m).find((section) => section.startsWith(`${name}\n`)) ?? '';
  /** Every command by its full name, with subcommands. */
  const commands = named(createProgram(() => {}));
  const shared = text.split(/^## /m).find((part) => part.startsWith('Start an order')) ?? '';

  test('has every command and no others', () => {
    const told = [...text.matchAll(/^### (.+)$/gm)].flatMap(([, name = '']) => name);
    expect(told.sort()).toEqual(commands.map(([name]) => name).sort());
  });

  test.each(commands)('has every flag of %s and no others', (name, command) => {
    const flags = command.options.map((option) => option.flags);
    const startsOrder = flags.includes('--dry-run');
    const common = startsOrder ? (shared.split(/^### /m)[0] ?? '') : '';
    const told = [...`${about(name)}${common}`.matchAll(/^\| `(--[^`]+)`/gm)];
    expect(told.flatMap(([, flag = '']) => flag).sort()).toEqual(flags.sort());
  });
});

describe('a command that a page or a message names', () => {
  const program = createProgram(() => {});
  const told = repositoryPaths()
    .filter((path) => /^(src|sandbox|activities|workflows|scripts|docs|README|SECURITY)/.test(path))
    .filter((path) => /\.(ts|js|md|yml|json)$/.test(path) && !isOfNewFiles(path))
    .map(read)
    .flatMap(({ path, text }) => commandsIn(text).map((line) => ({ path, line })));

  test('exists, with its flags', () => {
    expect(told.length).toBeGreaterThan(100);
    expect(
      told.flatMap(({ path, line }) => faultsOf(line, program).map((f) => `${path}: ${f}`)),
    ).toEqual([]);
  });

  test('exists as a script of the package too, where npm runs it', () => {
    const { scripts } = JSON.parse(textOf('package.json'));
    const run = pages.flatMap(({ text }) => [...text.matchAll(/npm run ([a-z][\w:]*)/g)]);
    expect(run.length).toBeGreaterThan(20);
    expect(run.flatMap(([, name = '']) => name).filter((name) => !(name in scripts))).toEqual([]);
  });

  test.each([
    ['steadfast pay --wallet 1', ['steadfast pay']],
    ['steadfast payout january.csv --walet 1', ['steadfast payout --walet']],
    ['steadfast payout retry january --csv a', ['steadfast payout retry --csv']],
    ['steadfast schedule create rent --cron "0 9 1 * *"', []],
  ])('is found where it does not: %s', (line, faults) => {
    expect(faultsOf(line, program)).toEqual(faults);
  });
});

/** The command lines in a text, each in one line, whether it is code or a page. */
function commandsIn(text: string): string[] {
  const joined = text
    .replace(/^ *(\*|\/\/|\/\*\*).*$/gm, '')
    .replace(/['`"] \+\s*['`"]/g, '')
    .replace(/\\\\?\n\s*/g, ' ');
  const commands = joined.matchAll(
    /(?:npx (?:--no-install )?|^ *|[`"'] *|\$ )(steadfast [a-z<](?:(?!temporal )[^\n`|#;])*)/gm,
  );
  return [...commands].flatMap(([, command = '']) => command);
}

/** The parts of a command line that the program does not have: its command, or some flags. */
function faultsOf(line: string, program: Command): string[] {
  const [, ...words] = line.split(/[\s"'.,)$]+/);
  let command = program;
  let name = 'steadfast';
  for (const word of words) {
    const found = command.commands.find((one) => one.name() === word);
    if (found === undefined) break;
    [command, name] = [found, `${name} ${word}`];
  }
  if (command === program) return /^[a-z]/.test(words[0] ?? '') ? [`steadfast ${words[0]}`] : [];
  const flags = [...line.matchAll(/(?<=[\s"'])--[a-z-]+/g)].map(([flag]) => flag);
  const known = ['--help', '--debug', ...command.options.map(({ long }) => long)];
  return flags.filter((flag) => !known.includes(flag)).map((flag) => `${name} ${flag}`);
}

/** Commands that do something, by their full names. A group of commands does nothing itself. */
function named(parent: Command, lead = ''): [name: string, command: Command][] {
  return parent.commands.flatMap((command): [string, Command][] => {
    const name = `${lead}${command.name()}`;
    // Commander tells nobody else whether a command acts.
    const isGroup = !Reflect.get(command, '_actionHandler');
    return [
      ...(isGroup ? [] : [[name, command] as [string, Command]]),
      ...named(command, `${name} `),
    ];
  });
}

describe('the tutorial', () => {
  const marks = [...textOf('docs/tutorial/first-transfer.md').matchAll(/^✓ ([\w ]+?)(: | {2})/gm)];
  const namesBefore = (end: string): string[] =>
    marks.filter((mark) => mark[2] === end).flatMap(([, name = '']) => name);
  const doctor = repositoryPaths()
    .filter((path) => /^src\/(cli\/doctor|health)\//.test(path))
    .map(textOf)
    .join('\n');

  test('shows checks that doctor makes', () => {
    const names = namesBefore(': ').map((name) => name.replace(/^(Worker for) .+/, '$1 '));
    expect(names.length).toBeGreaterThan(5);
    expect(names.filter((name) => !new RegExp(`['\`]${name}['$]`).test(doctor))).toEqual([]);
  });

  test('shows the addresses that npm run dev prints', () => {
    const text = textOf('src/cli/dev/runDev.ts');
    const printed = [...text.matchAll(/green\('✓'\)\} ([\w ]+?) {2}/g)];
    const always = printed.flatMap(([, name = '']) => name).filter((name) => name !== 'Policy');
    expect(namesBefore('  ')).toEqual(always);
  });
});

describe('the other references', () => {
  test('name every variable', () => {
    const names = [
      ...['src/config.ts', 'src/client/privacy/config.ts', 'sandbox/config/config.ts'].flatMap(
        variablesIn,
      ),
    ];
    expect(names).toEqual(expect.arrayContaining(['CUSTODY_API_KEY', 'SANDBOX_PORT']));
    expect(missing(names, textOf('docs/reference/configuration.md'))).toEqual([]);
  });

  test('name every status, type of failure, error, and code with a rule', () => {
    const text = textOf('docs/reference/errors.md');
    const thrown = [
      'src/variables.ts',
      'src/client/started.ts',
      'src/orders/input/read.ts',
      'src/orders/input/inputError.ts',
      'src/client/temporal/unreachableError.ts',
      'src/client/temporal/inSentences.ts',
    ];
    const classes = [...thrown, 'src/custody/errors.ts'].flatMap((path) =>
      [...textOf(path).matchAll(/override readonly name = '(\w+)'/g)].flatMap(([, n = '']) => n),
    );
    expect(classes).toHaveLength(11);
    const outcomes = ['refused', 'failed', 'cancelled', 'terminated'];
    expect(missing([...statuses, ...outcomes, ...classes], text)).toEqual([]);
    const codes = textOf('src/custody/outcome.ts').match(/\b1\d{5}\b/g) ?? [];
    expect(codes.length).toBeGreaterThan(10);
    expect(codes.filter((code) => !text.includes(code))).toEqual([]);
  });

  test('have the tables that follow from the kinds of order (npx tsx test/orders/writeSchemas.ts)', () => {
    for (const { is, should } of derivedPages()) expect(is).toBe(should);
    const text = textOf('docs/reference/workflows.md');
    expect(missing([...orderKinds, ...Object.keys(templateIds)], text)).toEqual([]);
  });

  test('show a key that follows from its parts', () => {
    const parts = { workflowId: 'transfer:invoice-4711', step: 'transfer', item: '1' };
    const key = idempotencyKey({ ...parts, generation: 0 });
    expect(missing([key], textOf('docs/explanation/keys.md'))).toEqual([]);
  });
});

describe('the reference of the client', () => {
  const text = textOf('docs/reference/client.md');

  test('is what the docstrings say (npx tsx test/support/package/clientPage.ts)', () => {
    expect(text).toBe(clientPage());
    expect(undocumented()).toEqual([]);
  });

  test('has all that the client exports', () => {
    const [, exported = ''] = textOf('src/client/client.ts').split('// biome-ignore');
    const names = exported.match(/\b[A-Za-z]+\b(?=,? *(\n|\}))/g) ?? [];
    const own = names.filter((name) => !['Steadfast', 'type'].includes(name));
    expect(own.length).toBeGreaterThan(15);
    expect(own.filter((name) => !new RegExp(`^### ${name}$|\`${name}\``, 'm').test(text))).toEqual(
      [],
    );
  });
});

describe('the list of dependencies', () => {
  test('has every package of package.json and no others', () => {
    const { dependencies, devDependencies } = JSON.parse(textOf('package.json'));
    const rows = [...textOf('docs/reference/dependencies.md').matchAll(/^\| `([^`]+)` \| \S/gm)];
    const told = rows.flatMap(([, name = '']) => name);
    expect(told.sort()).toEqual(Object.keys({ ...dependencies, ...devDependencies }).sort());
  });
});

describe('the list of licences', () => {
  test('matches the installed packages (npx tsx test/support/package/licences.ts)', () => {
    expect(textOf('docs/reference/licences.md')).toBe(licencesPage());
  });

  test('has only permissive licences', () => {
    const others = installedLicences().filter(({ licence }) => !isPermissive(licence));
    expect(others).toEqual([]);
  });

  test.each(['GPL-3.0', 'MIT AND GPL-3.0', 'not said', 'SSPL-1.0 OR AGPL-3.0'])(
    'rejects a licence of %s',
    (licence) => expect(isPermissive(licence)).toBe(false),
  );
});

describe('the filters for Temporal UI', () => {
  let connection: Connection;
  beforeAll(async () => {
    connection = await Connection.connect({ address: temporalAddress() });
  });
  afterAll(() => connection.close());

  test.each(proposedViews().map(({ name, query }) => [name, query] as const))(
    'are queries that Temporal accepts: %s',
    async (_, query) => {
      const { workflow } = new Client({ connection });
      await expect(workflow.count(query)).resolves.toBeDefined();
    },
  );

  test('are rejected when they name an unknown attribute', async () => {
    const { workflow } = new Client({ connection });
    await expect(workflow.count('SteadfastState = "Unknown"')).rejects.toThrow();
  });

  test('are also links', () => {
    const page = textOf('docs/how-to/find-orders-in-temporal-ui.md');
    const linked = [...page.matchAll(/\?query=([^)]+)\)/g)].map(([, query = '']) =>
      decodeURIComponent(query),
    );
    const queries = proposedViews().map(({ query }) => query);
    expect(linked.length).toBeGreaterThan(3);
    expect(linked.filter((query) => !queries.includes(query))).toEqual([]);
  });
});
