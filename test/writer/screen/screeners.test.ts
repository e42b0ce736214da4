import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CustodyApi } from '../../../src/custody/endpoints';
import { addressList } from '../../../src/writer/screen/addressList';
import { askService } from '../../../src/writer/screen/askService';
import { askTokens } from '../../../src/writer/screen/askToken';
import { askUrl } from '../../../src/writer/screen/askUrl';
import { screeningOf } from '../../../src/writer/screen/screening';
import { stopAfterTests, stopLater } from '../../support/jest/setUp';
import { blockchain, inSandbox, usdc } from '../../support/sandbox';
import { listening } from '../../support/service/listening';
import { payee, stranger } from '../writer';

const hourMs = 3_600_000;

describe('writes at the same time', () => {
  const policy = {
    screens: [{ id: 'risk', by: { kind: 'service' as const }, beyond: undefined }],
    tokens: new Map(),
  };
  const paysTo = (to: string) => [{ kind: 'money' as const, money: usdc, amount: 1n, to }];

  test('ask about an address once, and no answer is asked for again', async () => {
    const asked: string[] = [];
    const gate: { open?: (error: Error) => void } = {};
    const away = new Promise<never>((_, reject) => Object.assign(gate, { open: reject }));
    const screenAddress: CustodyApi['screenAddress'] = ({ address }) => {
      asked.push(address);
      return away;
    };
    const queryContract = () => Promise.reject(new Error('No token is asked.'));
    const screen = screeningOf({ screenAddress, queryContract }, { policy, blockchain });
    const both = [screen(paysTo(payee)), screen(paysTo(payee)), screen(paysTo(stranger))];
    gate.open?.(new Error('time-out'));
    const verdicts = (await Promise.all(both)).flat();
    expect(verdicts.map(({ kind }) => kind)).toEqual(Array(3).fill('unavailable'));
    expect(asked).toEqual([payee, stranger]);
    await screen(paysTo(payee));
    expect(asked).toEqual([payee, stranger, payee]);
  });
});

describe('a list of addresses', () => {
  let folder: string;
  let path: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'steadfast-list-'));
    path = join(folder, 'sanctioned.txt');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  test.each([
    ['text', `# of today\n${stranger}\n`],
    ['JSON', JSON.stringify({ ETH: [{ address: stranger.toUpperCase().replace('0X', '0x') }] })],
    ['CSV', `name,address\nsomebody,${stranger}\n`],
  ])('matches each address in a file of %s, in any case', async (_, text) => {
    writeFileSync(path, text);
    const ask = addressList(path, 24);
    expect(await ask(stranger)).toMatchObject({
      kind: 'match',
      words: expect.stringMatching(/it is in the list sanctioned.txt \(1 addresses, [0-9a-f]{8}\)/),
    });
    expect(await ask(payee)).toMatchObject({ kind: 'clear' });
  });

  test('is read once more when it has changed', async () => {
    writeFileSync(path, stranger);
    const ask = addressList(path, 24);
    expect((await ask(payee)).kind).toBe('clear');
    writeFileSync(path, `${stranger} ${payee}`);
    utimesSync(path, new Date(), new Date(Date.now() - 5_000));
    expect((await ask(payee)).kind).toBe('match');
  });

  test('that is old, empty or not there is no answer', async () => {
    const ask = addressList(path, 24);
    expect((await ask(payee)).words).toContain('cannot be read');
    writeFileSync(path, 'nobody');
    expect((await ask(payee)).words).toContain('has no address in it');
    writeFileSync(path, stranger);
    utimesSync(path, new Date(), new Date(Date.now() - 25 * hourMs));
    for (const address of [payee, stranger]) {
      expect(await ask(address)).toMatchObject({
        kind: 'unavailable',
        words: expect.stringContaining('was last changed at'),
      });
    }
  });
});

describe('a service of the operator', () => {
  stopAfterTests();
  let url: string;
  let answer: (request: IncomingMessage, response: ServerResponse) => void;
  beforeAll(async () => {
    const server = createServer((request, response) => answer(request, response));
    const { url: origin, close } = await listening(server);
    url = `${origin}/check`;
    stopLater(close);
  });

  test('is asked with the address and the chain, and its verdict and evidence count', async () => {
    const asked: string[] = [];
    answer = async (request, response) => {
      for await (const part of request) asked.push(String(part));
      response.end(JSON.stringify({ verdict: 'review', evidence: 'mixer,\n2 hops', score: 7 }));
    };
    expect(await askUrl(url, blockchain)(payee)).toMatchObject({
      kind: 'review',
      words: expect.stringMatching(/^127.0.0.1:\d+ says review: mixer, 2 hops$/),
    });
    expect(asked).toEqual([JSON.stringify({ address: payee, blockchain })]);
  });

  test.each<[string, (response: ServerResponse) => void, string]>([
    ['a fault', (response) => void response.writeHead(500).end('{}'), 'answered with 500'],
    [
      'a redirect',
      (response) => void response.writeHead(302, { location: '/' }).end(),
      'no answer',
    ],
    ['another word', (response) => void response.end('{"verdict":"fine"}'), 'no answer'],
    ['no JSON', (response) => void response.end('clear'), 'no answer'],
    ['nothing', (response) => void response.destroy(), 'no answer'],
    [
      'too much',
      (response) => void response.end(`{"verdict":"clear","evidence":"${'x'.repeat(70_000)}"}`),
      'it is longer than 65536 bytes',
    ],
  ])('that answers with %s has given no answer', async (_, respond, words) => {
    answer = (_request, response) => respond(response);
    expect(await askUrl(url, blockchain)(payee)).toMatchObject({
      kind: 'unavailable',
      words: expect.stringContaining(words),
    });
  });
});

describe('the custody service', () => {
  const sandbox = inSandbox();

  test.each([
    ['a plain address', payee, 'clear', 'answers APPROVED by its rule none'],
    ['sanctions', `0x${'1'.repeat(28)}999999999999`, 'match', 'Sanctions Blocklist'],
    ['gambling', `0x${'1'.repeat(28)}999999997766`, 'review', 'High Gambling Risk'],
  ])('screens %s', async (_, address, kind, words) => {
    const verdict = await askService(sandbox.client, blockchain)(address);
    expect(verdict).toMatchObject({ kind, words: expect.stringContaining(words) });
  });

  test('that is away has given no answer', async () => {
    const away = { screenAddress: () => Promise.reject(new Error('connect ECONNREFUSED')) };
    expect(await askService(away, blockchain)(payee)).toMatchObject({
      kind: 'unavailable',
      words: 'the service gave no answer: connect ECONNREFUSED',
    });
  });

  test('reads the block list of a token, and a token without one has given no answer', async () => {
    const path = `/_sandbox/blocklist/${stranger}`;
    expect((await sandbox.request('PUT', path, { headers: {} })).status).toBe(200);
    const ask = askTokens(sandbox.client, { tokens: [usdc], blockchain });
    expect(await ask(stranger)).toEqual({
      kind: 'match',
      words: `the token ${usdc} has blocked it`,
    });
    expect((await ask(payee)).kind).toBe('clear');
    const { entryPoint } = sandbox.chain.contracts;
    const tokens = [usdc, entryPoint];
    expect(await askTokens(sandbox.client, { tokens, blockchain })(payee)).toMatchObject({
      kind: 'unavailable',
      words: expect.stringContaining(`isBlacklisted of the token ${entryPoint} has no answer`),
    });
  });
});
