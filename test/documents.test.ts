import { existsSync } from 'node:fs';
import { posix } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import type { Command } from 'commander';
import { proposedViews } from '../docs/screenshots/views';
import { createProgram } from '../src/cli/program';
import { idempotencyKey } from '../src/custody/idempotencyKey';
import { templateIds } from '../src/custody/template';
import { attempted, orderKinds } from '../src/orders/kinds';
import { statuses } from '../src/orders/status';
import { installedLicences, isPermissive, licencesPage } from './support/licences';
import { temporalAddress } from './support/temporal';
import { read, repositoryPaths, root } from './support/tidy/source';

const pages = repositoryPaths()
  .filter((path) => /^(README|SECURITY|CHANGELOG)\.md$/.test(path) || /^docs\/.+\.md$/.test(path))
  .map(read);

function textOf(path: string): string {
  return read(path).text;
}

/** Names that a page does not have between backticks, as a reader looks for them. */
function missing(names: readonly string[], text: string): string[] {
  const quoted = new Set([...text.matchAll(/`([^`\n]+)`/g)].flatMap(([, code = '']) => code));
  const words = new Set([...quoted].flatMap((code) => [code, ...code.split(/[\s,]+/)]));
  return names.filter((name) => !words.has(name));
}

/** Variables that a file of ours reads, by the keys of its schemas. */
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

  test('lead to a file, and to a heading in it', () => {
    expect(links.length).toBeGreaterThan(50);
    expect(links.filter((link) => !leadsSomewhere(link))).toEqual([]);
  });

  test.each(['nowhere.md', '#no-such-heading', '../README.md#no-such-heading'])(
    'would be found broken: %s',
    (target) => {
      expect(leadsSomewhere({ path: 'docs/README.md', target })).toBe(false);
    },
  );

  test('lead from the index to every page', () => {
    const linked = links
      .filter(({ path }) => path === 'docs/README.md')
      .map(({ target }) => posix.join('docs', target));
    const others = pages.filter(({ path }) => /^docs\/(?!README)/.test(path));
    expect(others.map(({ path }) => path).filter((path) => !linked.includes(path))).toEqual([]);
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

describe('the reference of the command line', () => {
  const text = textOf('docs/reference/cli.md');
  /** What the page says of a command; flags that six commands share are said once. */
  const about = (name: string): string =>
    text.split(/^### /m).find((section) => section.startsWith(`${name}\n`)) ?? '';
  /** Every command by its whole name: those below another one, too. */
  const commands = named(createProgram(() => {}));
  const shared = text.split(/^## /m).find((part) => part.startsWith('Start an order')) ?? '';

  test('has every command, and no other one', () => {
    const told = [...text.matchAll(/^### (.+)$/gm)].flatMap(([, name = '']) => name);
    expect(told.sort()).toEqual(commands.map(([name]) => name).sort());
  });

  test.each(commands)('has every flag of %s, and no other one', (name, command) => {
    const flags = command.options.map((option) => option.flags);
    const startsOrder = flags.includes('--dry-run');
    const common = startsOrder ? (shared.split(/^### /m)[0] ?? '') : '';
    const told = [...`${about(name)}${common}`.matchAll(/^\| `(--[^`]+)`/gm)];
    expect(told.flatMap(([, flag = '']) => flag).sort()).toEqual(flags.sort());
  });
});

/** Commands that do something, by all their words; a mere group of them does nothing itself. */
function named(parent: Command, lead = ''): [name: string, command: Command][] {
  return parent.commands.flatMap((command): [string, Command][] => {
    const name = `${lead}${command.name()}`;
    const isGroup = command.commands.length > 0 && command.options.length === 0;
    return [
      ...(isGroup ? [] : [[name, command] as [string, Command]]),
      ...named(command, `${name} `),
    ];
  });
}

describe('the other references', () => {
  test('name every variable', () => {
    const names = [
      ...['src/config.ts', 'src/privacy/config.ts', 'src/sandbox/config.ts'].flatMap(variablesIn),
    ];
    expect(names).toEqual(expect.arrayContaining(['CUSTODY_API_KEY', 'SANDBOX_PORT']));
    expect(missing(names, textOf('docs/reference/configuration.md'))).toEqual([]);
  });

  test('name every status, type of failure, error and code that decides something', () => {
    const text = textOf('docs/reference/errors.md');
    const thrown = ['src/config.ts', 'src/orderError.ts', 'src/orders/read.ts', 'src/cli/exit.ts'];
    const classes = [...thrown, 'src/custody/errors.ts'].flatMap((path) =>
      [...textOf(path).matchAll(/override readonly name = '(\w+)'/g)].flatMap(([, n = '']) => n),
    );
    expect(classes).toHaveLength(9);
    const outcomes = ['refused', 'failed', 'cancelled', 'terminated'];
    expect(missing([...statuses, ...outcomes, ...classes], text)).toEqual([]);
    const codes = textOf('activities/outcome.ts').match(/\b1\d{5}\b/g) ?? [];
    expect(codes.length).toBeGreaterThan(10);
    expect(codes.filter((code) => !text.includes(code))).toEqual([]);
  });

  test('name every workflow, with its schemas, and every template', () => {
    const text = textOf('docs/reference/workflows.md');
    expect(missing([...orderKinds, ...Object.keys(templateIds)], text)).toEqual([]);
    const files = orderKinds.flatMap((kind) => [`${kind}.order.json`, `${kind}.receipt.json`]);
    expect(files.filter((file) => !text.includes(`](../schemas/${file})`))).toEqual([]);
  });

  test('name every transaction that can be attempted anew, and a key that is one', () => {
    const text = textOf('docs/explanation/keys.md');
    const untold = orderKinds.filter((kind) => {
      const row = text.split('\n').find((line) => line.startsWith(`| \`${kind}\` |`)) ?? '';
      return (
        row === '' ||
        missing([...attempted[kind].slice(0, 2), ...attempted[kind].slice(-1)], row).length > 0
      );
    });
    expect(untold).toEqual([]);
    const parts = { workflowId: 'transfer:invoice-4711', step: 'transfer', item: '1' };
    expect(missing([idempotencyKey({ ...parts, generation: 0 })], text)).toEqual([]);
  });
});

describe('the list of licences', () => {
  test('is what is installed now (npx tsx test/support/licences.ts)', () => {
    expect(textOf('docs/reference/licences.md')).toBe(licencesPage());
  });

  test('has permissive ones alone', () => {
    const others = installedLicences().filter(({ licence }) => !isPermissive(licence));
    expect(others).toEqual([]);
  });

  test.each(['GPL-3.0', 'MIT AND GPL-3.0', 'not said', 'SSPL-1.0 OR AGPL-3.0'])(
    'would not let one pass that says %s',
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
    'are queries that Temporal takes: %s',
    async (_, query) => {
      const { workflow } = new Client({ connection });
      await expect(workflow.count(query)).resolves.toBeDefined();
    },
  );

  test('would be found wrong where they name an attribute that is not there', async () => {
    const { workflow } = new Client({ connection });
    await expect(workflow.count('SteadfastState = "Unknown"')).rejects.toThrow();
  });

  test('are links, too', () => {
    const page = textOf('docs/how-to/find-orders-in-temporal-ui.md');
    const linked = [...page.matchAll(/\?query=([^)]+)\)/g)].map(([, query = '']) =>
      decodeURIComponent(query),
    );
    const queries = proposedViews().map(({ query }) => query);
    expect(linked.length).toBeGreaterThan(3);
    expect(linked.filter((query) => !queries.includes(query))).toEqual([]);
  });
});
