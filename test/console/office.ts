import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance, InjectOptions } from 'fastify';
import { type AddressBook, emptyBook } from '../../src/checks/book';
import { createConsole } from '../../src/console/console';
import { openInvitations } from '../../src/console/invite/invitations';
import { policyReader } from '../../src/console/people';
import type { AccountWatch } from '../../src/console/watch/watching';
import { allLines } from '../../src/custody/objects/approval';
import { readOrderOf } from '../../src/orders/kinds';
import type { TreeLine } from '../../src/writer/signing/lineTree';
import { signedLinesOf } from '../../src/writer/signing/signedLines';
import { requestFor, textOf } from '../../src/writer/signing/statement';
import { consoleOrigin, type TestPasskey, testPasskey } from '../writer/signing/passkeys';
import { quietWatch } from './quietWatch';
import { type Asks, type Script, scripted, signingWith } from './scripted';

export const blockchain = 'ARC-TESTNET';
export const payee = '0x523b27014BA9331e4a6c1bD7BC3b2b9F3B2BEC7d';
export const wallet = '0c3f3d3e-1111-4222-8333-4444aaaa6666';
const host = new URL(consoleOrigin).host;

/** The transfer that the office asks about, unless a test says otherwise. */
export const transfer = 'transfer:invoice-1';

/** A person of the policy: a passkey that signs in, and one that decides. */
export type Person = { signIn: TestPasskey; approval: TestPasskey };

type Given = {
  book: AddressBook;
  /** Empty for a console without it. */
  entity: string;
  watch: Partial<AccountWatch>;
  temporalUi: string;
  store: string;
  keyScope: string;
};

/**
 * A console with three people. Its Temporal is an object that a test writes by hand, since these
 * tests are about what the console lets in. It remembers the signatures that were handed in.
 */
export function consoleOffice({
  book = emptyBook,
  entity = 'account-1',
  watch = {},
  temporalUi,
  store,
  keyScope = '',
}: Partial<Given> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'steadfast-console-'));
  const policyFile = join(folder, 'policy.json');
  const person = (): Person => ({ signIn: testPasskey(), approval: testPasskey() });
  const people = { ann: person(), bo: person(), vi: person() };
  const handedIn: { id: string; signed: object }[] = [];
  const script: Script = {
    started: [],
    controls: [],
    listed: [],
    waiting: [],
    failed: [],
    told: (status) => status,
    change: (order) => order,
  };
  const asks: Asks = {
    id: transfer,
    statement: statementOf('4'),
    waitingFor: 'people to approve it.',
    people: ['ann', 'bo'],
    given: [],
    lines: new Map(),
  };
  const now: { server?: FastifyInstance; addresses: number } = { addresses: 0 };
  const invitations = openInvitations(':memory:');
  const writePolicy = (names: readonly Name[], given: Partial<Change> = {}): void => {
    const { requesters = ['ann', 'vi'], treasurers = ['ann', 'bo'] } = given;
    const known = (all: readonly Name[]) => all.filter((name) => names.includes(name));
    const change = {
      withKey: 'any',
      rule: 'large',
      within: 48,
      ...given,
      requesters: known(requesters),
      treasurers: known(treasurers),
    };
    writeFileSync(policyFile, JSON.stringify(policyOf(people, names, change)));
  };
  writePolicy(['ann', 'bo', 'vi']);
  beforeAll(() => {
    const steadfast = scripted(asks, handedIn, script);
    now.server = createConsole({
      origin: consoleOrigin,
      entity: entity === '' ? undefined : entity,
      blockchain,
      temporalUi,
      store,
      namespace: 'default',
      keyScope,
      isOwn: (workflowId) => !workflowId.startsWith('other:'),
      steadfast,
      steadfastWith: (signing) => signingWith(steadfast, signing, script),
      countsUntil: async () => '2026-12-02T17:00:00Z',
      invitations,
      policy: policyReader(policyFile, blockchain),
      book: () => book,
      watch: { ...quietWatch, ...watch },
    });
  });
  afterAll(async () => {
    await now.server?.close();
    rmSync(folder, { recursive: true });
  });

  /** Asks the console as its own page does, with changes. */
  const ask = async (path: string, how: InjectOptions = {}) => {
    if (now.server === undefined) throw new Error('It is made before the tests.');
    const headers = { host, origin: consoleOrigin, ...how.headers };
    return now.server.inject({ url: path, ...how, headers });
  };
  /** Sends what the script of a page sends. */
  const post = (path: string, body: object, headers: Record<string, string> = {}) =>
    ask(path, {
      method: 'POST',
      payload: JSON.stringify(body),
      headers: { 'content-type': 'application/json', ...headers },
    });
  /** Signs a person in, and returns the headers of their requests. */
  const signIn = async (passkey: TestPasskey): Promise<Record<string, string>> => {
    now.addresses += 1;
    // Each from an address of its own, since an address has few attempts.
    const from = { 'x-forwarded-for': `203.0.113.${now.addresses}` };
    const { challenge } = (await post('/sign-in/challenge', {}, from)).json();
    const answer = await post('/sign-in', { challenge, made: passkey.answer(challenge) }, from);
    const [cookie = ''] = [answer.headers['set-cookie'] ?? ''].flat();
    const own = { cookie: cookie.split(';')[0] ?? '' };
    const page = await ask('/approvals', { headers: own });
    const [, csrf = ''] = /data-csrf="([^"]+)"/.exec(page.body) ?? [];
    return { ...own, 'x-csrf': csrf };
  };
  const asking = { people, asks, handedIn, script, invitations };
  return { ...asking, ask, post, signIn, writePolicy, policyFile };
}

/** The question of an order to people: a transfer to a payee. */
export function statementOf(amount: string): string {
  const money = { from: { walletId: wallet }, to: payee, amount, token: 'USDC' };
  const { signedAt: _, ...request } = requestFor({
    entity: 'account-1',
    blockchain,
    namespace: 'default',
    workflowId: transfer,
    kind: 'transferStablecoin',
    order: readOrderOf('transferStablecoin', money),
    expires: new Date(Date.now() + 3_600_000),
  });
  const effects = [{ kind: 'money', money: 'USDC', amount, to: payee.toLowerCase() }];
  return textOf({
    ...request,
    ledger: 'ledger-1',
    write: { target: 'transfer/1#0', wallet, effects },
  });
}

/** The question of a payout to people: all of its lines. */
export function payoutStatementOf(payoutId: string, lines: readonly TreeLine[]): string {
  const order = readOrderOf('payout', { payoutId, wallets: [wallet] });
  const { signedAt: _, ...request } = requestFor({
    entity: 'account-1',
    blockchain,
    namespace: 'default',
    workflowId: `payout:${payoutId}`,
    kind: 'payout',
    order,
    lines: signedLinesOf(lines),
    expires: new Date(Date.now() + 3_600_000),
  });
  const total = request.lines?.totals.USDC ?? '';
  const to = `${lines.length} lines`;
  const effects = [{ kind: 'money', money: 'USDC', amount: total, to }];
  return textOf({ ...request, ledger: 'ledger-1', write: { target: allLines, wallet, effects } });
}

type Name = 'ann' | 'bo' | 'vi';

/** The keys that approve, the rule that asks, and the people who request and approve. */
type Change = {
  withKey: string;
  rule: string;
  within: number;
  requesters: readonly Name[];
  treasurers: readonly Name[];
};

function policyOf(
  people: Record<Name, Person>,
  names: readonly Name[],
  { withKey, rule, within, requesters, treasurers }: Change,
): object {
  const known = names.map((name) => {
    const { signIn, approval } = people[name];
    return [name, { keys: [approval.publicKey], signIn: [signIn.publicKey] }];
  });
  const backend = { keys: [`ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI${'x'.repeat(43)} backend`] };
  const ssh = (name: string) =>
    `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI${name.padEnd(43, 'y')} ${name}`;
  const others = { cy: { keys: [ssh('cy')] }, dee: { keys: [ssh('dee')] } };
  return {
    version: 1,
    people: { backend, ...others, ...Object.fromEntries(known) },
    groups: {
      backends: ['backend', ...requesters],
      treasurers: [...treasurers, 'cy', 'dee'],
    },
    rules: [
      {
        id: 'out',
        kind: 'limit',
        orders: ['transferStablecoin', 'payout'],
        wallets: [wallet],
        tokens: ['USDC'],
        to: payee,
        perTransfer: '5',
        signedBy: 'backends',
      },
      {
        id: rule,
        kind: 'approval',
        above: '2',
        need: 2,
        of: 'treasurers',
        within,
        with: withKey,
      },
    ],
  };
}
