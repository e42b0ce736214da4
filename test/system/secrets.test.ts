import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Ran } from '../cli/runCli';
import { troubles } from '../support/secrets/echoingProxy';
import { formsOf, pieceMin } from '../support/secrets/forms';
import { loseOrders, runCommands, runSequences, useWrongKeys } from '../support/secrets/goWrong';
import { type Evidence, readHistories } from '../support/secrets/readHistories';
import { type RecordedStack, startRecordedStack } from '../support/secrets/recordedStack';
import { createSearch, type Find, type Search } from '../support/secrets/search';

/** Digits that are the same in every run, and that nothing else has by chance. */
const digits = (name: string): string =>
  createHash('sha256').update(`a secret of this test: ${name}`).digest('hex');

/**
 * A secret with the characters that JSON, URLs and HTML escape. No part between them is longer than
 * a piece.
 */
const awkward = (name: string): string => (digits(name).match(/.{10}/g) ?? []).join('"/+&<\\');

const keyPrefix = 'TEST_API_KEY:';
const keys = {
  apiKey: `${keyPrefix}${awkward('id')}:${awkward('key')}`,
  entitySecret: digits('entity secret'),
  temporalKey: digits('temporal'),
  rpcKey: digits('rpc'),
};
const wrong = {
  apiKey: `${keyPrefix}${digits('wrong id')}:${digits('wrong key')}`,
  entitySecret: digits('wrong entity secret'),
};
/** The secrets. Their prefixes are public. */
const secrets = {
  ...keys,
  apiKey: keys.apiKey.replace(keyPrefix, ''),
  'wrong API key': wrong.apiKey.replace(keyPrefix, ''),
  'wrong entity secret': wrong.entitySecret,
};

describe('the search', () => {
  const haystack = (needle: string): Buffer =>
    Buffer.concat([Buffer.alloc(900, 'x'), Buffer.from(needle, 'latin1'), Buffer.alloc(900, 'y')]);
  const search = createSearch(secrets);
  const forms = formsOf(secrets.entitySecret).map(({ name }) => name);

  test.each(forms)('finds a secret as %s, whole and in each piece', (name) => {
    for (const [secret, value] of Object.entries(secrets)) {
      const { text = '', piece = 0 } = formsOf(value).find((form) => form.name === name) ?? {};
      // Bytes have no form of their own: hexadecimal digits cover them.
      if (text === '') continue;
      const [find] = search('', haystack(text)).filter((found) => found.form === name);
      expect(find).toMatchObject({ secret });
      for (let at = 0; at + piece <= text.length; at++) {
        const finds = search('', haystack(text.slice(at, at + piece)));
        expect(finds.map(named)).toContain(secret);
      }
    }
  });

  test.each(['', 'a', 'ab', 'abc'])('finds a secret that is encoded behind "%s"', (before) => {
    for (const [secret, value] of Object.entries(secrets)) {
      for (const encoding of ['base64', 'base64url', 'hex'] as const) {
        const finds = search('', Buffer.from(`${before}${value}, and more`).toString(encoding));
        expect(finds.map(named)).toContain(secret);
      }
    }
  });

  test('finds nothing in a text without secrets, nor in less than a piece', () => {
    const { entitySecret } = secrets;
    expect(search('', entitySecret.slice(0, pieceMin - 1))).toEqual([]);
    expect(search('', readFileSync(__filename))).toEqual([]);
    expect(search('', `${keyPrefix}<id>:<secret> ${digits('other').repeat(100)}`)).toEqual([]);
  });
});

describe('after every kind of failure', () => {
  let stack: RecordedStack;
  let search: Search;
  let ran: Record<string, Ran>;
  let histories: Evidence[];
  let files: Evidence[];
  let answers: Evidence[];

  beforeAll(async () => {
    stack = await startRecordedStack(keys);
    const walletId = await runSequences(stack);
    expect(await loseOrders(stack, walletId)).toEqual({
      'transfer:refused-read': 'FAILED',
      'transfer:refused-write': 'FAILED',
      'transfer:unknown': 'Unknown',
      'transfer:no-interface': expect.stringMatching(/FAILED|NeedsOperator/),
      'transfer:unauthorized': 'NeedsOperator',
      'transfer:down': expect.stringMatching(/trying|NeedsOperator/),
      'transfer:failed': 'FAILED',
    });
    // Some orders still retry now, and others wait.
    histories = await readHistories(stack.client);
    ran = await runCommands(stack, wrong);
    expect(await useWrongKeys(stack, walletId, wrong)).toEqual({
      'transfer:wrong-CUSTODY_API_KEY': 'NeedsOperator',
      'transfer:wrong-CUSTODY_ENTITY_SECRET': 'NeedsOperator',
    });
    histories.push(...(await readHistories(stack.client)));
    answers = await readAnswers(stack);
    answers.push({ where: 'ps', text: execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' }) });
    files = readFiles(stack.folder);
    await stack.stop();
    files.push(...readFiles(stack.folder));
    const { seed, privateKey, notificationKey } = JSON.parse(readFileSync(keyFile(), 'utf8'));
    // The key itself. The lines around it are the same in every key file.
    const [, , line = ''] = notificationKey.privateKey.split('\n');
    search = createSearch({
      ...secrets,
      seed,
      'private key': privateKey.slice(1_000, 1_064),
      'notification key': line.slice(0, 26),
    });
  });
  afterAll(async () => {
    await stack?.stop();
    stack?.remove();
  });

  const keyFile = (): string => join(stack.folder, 'sandbox', 'secrets.json');
  const findsIn = (all: readonly Evidence[]): Find[] =>
    all.flatMap(({ where, text }) => search(where, text));

  test('every fault occurred, and what it repeated contained the secrets', () => {
    const { made, repeated } = stack.proxy;
    expect(troubles.filter((trouble) => made[trouble] === 0)).toEqual([]);
    const finds = findsIn([{ where: 'repeated', text: repeated.join('\n') }]);
    expect([...new Set(finds.map(named))].sort()).toEqual(['apiKey', 'rpcKey']);
    expect(new Set(finds.map(({ form }) => form)).size).toBeGreaterThan(10);
    const told = [...histories, ...printedLines(), ...commands()];
    const kinds = ['history of', 'description of', 'progress of', 'worker', 'doctor, page'];
    const silent = kinds.filter(
      (kind) => !told.some(({ where, text }) => where.startsWith(kind) && isConcealed(text)),
    );
    expect(silent).toEqual([]);
  });

  test('no history, description, list, query or id of a workflow contains a secret', () => {
    expect(findsIn(histories)).toEqual([]);
  });

  test('no printed line of a process or a command contains a secret', () => {
    expect(findsIn([...printedLines(), ...commands()])).toEqual([]);
  });

  test('no argument of a process, control plane answer or metric contains a secret', () => {
    expect(answers.map(({ text }) => text.length > 100)).toEqual(answers.map(() => true));
    expect(findsIn(answers)).toEqual([]);
  });

  test("only the sandbox's key file contains a secret, and only its owner can read it", () => {
    const finds = findsIn(files);
    const all = ['apiKey', 'entitySecret', 'notification key', 'private key', 'seed'];
    expect([...new Set(finds.map(named))].sort()).toEqual(all);
    expect([...new Set(finds.map(({ where }) => where))]).toEqual(['sandbox/secrets.json']);
    expect(statSync(keyFile()).mode & 0o777).toBe(0o600);
    expect(files.map(({ where }) => where)).toEqual(
      expect.arrayContaining(['temporal.db', 'temporal.db-wal', 'sandbox/sandbox.db-wal']),
    );
  });

  test('a ciphertext is only in the request that it was made for', () => {
    const { ciphertexts, repeated } = stack.proxy;
    const named = Object.fromEntries(ciphertexts.map((text, number) => [`number ${number}`, text]));
    const plain = (text: string) => [{ name: 'plain', text, piece: 24 }];
    const searchCiphertexts = createSearch(named, plain);
    expect(searchCiphertexts('', ciphertexts.join())).toHaveLength(ciphertexts.length);
    expect(searchCiphertexts('', repeated.join()).length).toBeGreaterThan(2);
    const all = [...histories, ...printedLines(), ...commands(), ...answers, ...files];
    expect(all.flatMap(({ where, text }) => searchCiphertexts(where, text))).toEqual([]);
  });

  const printedLines = (): Evidence[] =>
    Object.entries(stack.printed).map(([where, lines]) => ({ where, text: lines.join('\n') }));
  const commands = (): Evidence[] =>
    Object.entries(ran).map(([where, { stdout, stderr }]) => ({ where, text: stdout + stderr }));
});

/** Tells if a secret was hidden in a text. Without such texts the search proves nothing. */
function isConcealed(text: Evidence['text']): boolean {
  return Buffer.from(text).includes('<secret>');
}

function named({ secret }: Find): string {
  return secret;
}

async function readAnswers({ origin, printed }: RecordedStack): Promise<Evidence[]> {
  const metrics = printed.temporal.join('\n').match(/^Metrics:\s+(\S+)$/m)?.[1] ?? '';
  const urls = ['info', 'calls', 'faults'].map((path) => `${origin}/_sandbox/${path}`);
  return Promise.all(
    [...urls, metrics].map(async (where) => ({ where, text: await (await fetch(where)).text() })),
  );
}

function readFiles(folder: string): Evidence[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((path) => join(folder, path))
    .filter((path) => statSync(path).isFile())
    .map((path) => ({ where: path.slice(folder.length + 1), text: readFileSync(path) }));
}
