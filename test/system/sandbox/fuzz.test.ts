import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'libsql';
import { encryptEntitySecret, readPublicKey } from '../../../src/custody/entitySecret';
import { untilRest } from '../../support/chain/outside';
import { type Random, randomOf } from '../../support/fuzz/random';
import { type Known, type Malformed, malformedRequest } from '../../support/fuzz/requests';
import { type Heard, send, sendBytes } from '../../support/fuzz/send';
import { times } from '../../support/lane';
import { startTestSandbox, type TestSandbox } from '../../support/sandbox';

const seed = 20_261_121;
const requestsCount = times({ short: 2_000, all: 8_000 });
const rawCount = times({ short: 200, all: 1_000 });
const atOnce = 48;

const dataDir = mkdtempSync(join(tmpdir(), 'steadfast-fuzz-'));
const agent = new Agent({ keepAlive: true, maxSockets: atOnce });
let sandbox: TestSandbox;
let known: Known;
let address: `0x${string}`;
const printed: string[] = [];

beforeAll(async () => {
  jest.spyOn(process.stderr, 'write').mockImplementation((text) => printed.push(String(text)) > 0);
  sandbox = await startTestSandbox({ dataDir, rateLimit: 'off' });
  const wallet = await sandbox.fundedWallet('EOA');
  address = wallet.address as `0x${string}`;
  await sandbox.pay(wallet, wallet.address);
  await untilRest(sandbox);
  const key = readPublicKey((await sandbox.client.getPublicKey({})).publicKey);
  const { apiKey, entitySecret } = sandbox.secrets;
  const freshCiphertext = () => encryptEntitySecret(entitySecret, key);
  const usedCiphertexts = await Promise.all(
    Array.from({ length: 20 }, () => use(freshCiphertext())),
  );
  known = { apiKey, walletId: wallet.id, usedCiphertexts, freshCiphertext };
});
afterAll(async () => {
  agent.destroy();
  await sandbox.stop();
  rmSync(dataDir, { recursive: true, force: true });
  jest.restoreAllMocks();
});

it(`refuses ${requestsCount} malformed requests of seed ${seed} in its own words`, async () => {
  const random = randomOf(seed);
  const origin = new URL(sandbox.origin);
  const before = await state();
  const faults: string[] = [];
  const work = async (): Promise<void> => {
    while (sent < requestsCount && faults.length < 5) {
      const number = sent++;
      const malformed = malformedRequest(random, known);
      const heard = await send(origin, agent, malformed).catch(String);
      const fault = typeof heard === 'string' ? heard : faultOf(heard, malformed.mustBeRefused);
      if (fault !== undefined)
        faults.push(`seed ${seed}, ${number}: ${fault}\n${shown(malformed)}`);
    }
  };
  let sent = 0;
  await Promise.all(Array.from({ length: atOnce }, work));
  expect(faults).toEqual([]);
  expect(printed).toEqual([]);
  expect(await state()).toEqual(before);
});

it(`survives ${rawCount} broken byte streams of seed ${seed}`, async () => {
  const random = randomOf(seed);
  const before = await state();
  const faults: string[] = [];
  for (let number = 0; number < rawCount; number += atOnce) {
    const streams = Array.from({ length: atOnce }, () => brokenBytes(random));
    const heard = await Promise.all(
      streams.map((bytes) => sendBytes(new URL(sandbox.origin), bytes).catch(String)),
    );
    heard.forEach((answer, index) => {
      const isSilent = typeof answer !== 'string' && answer.status === undefined;
      const fault = typeof answer === 'string' ? answer : faultOf(answer, false);
      const stream = JSON.stringify(streams[index]?.toString('latin1').slice(0, 600));
      if (!isSilent && fault) faults.push(`seed ${seed}, ${number + index}: ${fault}\n${stream}`);
    });
  }
  expect(faults.slice(0, 5)).toEqual([]);
  expect(printed).toEqual([]);
  expect(await state()).toEqual(before);
});

/** The fault of an answer, or undefined when the answer is right. */
function faultOf({ status = 0, text }: Heard, mustBeRefused: boolean): string | undefined {
  const { apiKey, entitySecret } = sandbox.secrets;
  const words = `${status} ${text.slice(0, 500)}`;
  if (status >= 500 || status < 200) return `a status that is none: ${words}`;
  const leaks = [apiKey, apiKey.split(':')[2] ?? '', entitySecret, process.cwd(), 'node_modules'];
  if (leaks.some((leak) => text.includes(leak))) return `a secret or a path: ${words}`;
  if (/\n\s+at |\.ts:\d+/.test(text)) return `a stack trace: ${words}`;
  if (status < 400) return mustBeRefused ? `accepted: ${words}` : undefined;
  return refusalFault(text) === undefined ? undefined : `${refusalFault(text)}: ${words}`;
}

function refusalFault(text: string): string | undefined {
  try {
    const { code, message, errors, ...rest } = JSON.parse(text);
    if (!Number.isInteger(code) || typeof message !== 'string') return 'no code and message';
    if (Object.keys(rest).length > 0) return 'more than a refusal has';
    if (message !== 'API parameter invalid') return errors === undefined ? undefined : 'errors';
    const fields = ['constraints', 'error', 'invalidValue', 'location', 'message'];
    const isNamed = (entry: object) => Object.keys(entry).sort().join() === fields.join();
    return errors.length > 0 && errors.every(isNamed) ? undefined : 'no faulty field is named';
  } catch {
    return 'not JSON';
  }
}

/** Everything that a request can change: chain, records, settings and faults. */
async function state(): Promise<unknown> {
  const { client } = sandbox.chain;
  const database = new Database(join(dataDir, 'sandbox.db'), { readonly: true });
  const records = ['walletSets', 'wallets', 'transactions', 'contracts', 'monitors', 'keys'];
  const tables = [...records, 'broadcasts', 'subscriptions', 'notices'];
  const counts = tables.map((table) =>
    database.prepare(`SELECT count(*) FROM ${table}`).raw().get(),
  );
  database.close();
  const control = { headers: {} };
  return {
    nonce: await client.getTransactionCount({ address }),
    balance: await client.getBalance({ address }),
    counts,
    info: (await sandbox.request('GET', '/_sandbox/info', control)).body,
    faults: (await sandbox.request('GET', '/_sandbox/faults', control)).body,
  };
}

async function use(entitySecretCiphertext: string): Promise<string> {
  const body = { idempotencyKey: randomUUID(), entitySecretCiphertext };
  const { status } = await sandbox.request('POST', 'developer/walletSets', { body });
  expect(status).toBe(201);
  return entitySecretCiphertext;
}

/** A request as bytes that are cut off, too many, or against the rules of HTTP. */
function brokenBytes(random: Random): Buffer {
  const { method, path, headers, body = '{"blue":1}' } = malformedRequest(random, known);
  const given = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const text = body.toString();
  const length = random.pick([text.length + 50, 1, 0, -1, 'x', 1e15, text.length]);
  const extra = random.pick([
    [`Content-Length: ${length}`],
    [`Content-Length: ${length}`, 'Content-Length: 7'],
    ['Transfer-Encoding: chunked', `Content-Length: ${length}`],
    ['Transfer-Encoding: gzip'],
    ['Content-Length: 20', 'x-evil: \u0000\u0001'],
    [`x-long: ${'y'.repeat(20_000)}`],
    ['Expect: 100-continue', `Content-Length: ${length}`],
    ['Upgrade: websocket', 'Connection: upgrade'],
  ]);
  const host = random.chance(0.8) ? ['Host: 127.0.0.1'] : [];
  const target = random.pick([path, `${path} `, `http://evil.example${path}`, '*', '\u00ff', '']);
  const version = random.pick(['HTTP/1.1', 'HTTP/1.1', 'HTTP/1.0', 'HTTP/9.9', 'X']);
  const head = [`${method} ${target} ${version}`, ...host, ...given, ...extra].join('\r\n');
  const bytes = Buffer.from(`${head}\r\n\r\n${text}`, 'latin1');
  return random.chance(0.3) ? bytes.subarray(0, random.below(bytes.length)) : bytes;
}

function shown(malformed: Malformed): string {
  return JSON.stringify({ ...malformed, body: malformed.body?.toString('latin1') }).slice(0, 1_500);
}
