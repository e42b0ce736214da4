import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startTemporal } from '../../../src/local/startTemporal';
import { buildWorkflows } from '../../../src/worker/worker';
import { newFolder } from '../../support/jest/setUp';
import { type Orders, runOrders, type ServeOptions } from '../../support/orders';
import { newKey, privacyWith } from '../../support/privacy/privateParts';
import { type Told, tellEverything } from '../../support/privacy/telling';
import { startTestSandbox } from '../../support/sandbox';

const folder = newFolder();

/** The details that orders told, and their search attributes. */
type Ran = { told: Told; shown: string[] };
let plain: Ran;
let hidden: Ran;
beforeAll(async () => {
  const workflows = await buildWorkflows({ isPrivate: true });
  [plain, hidden] = await Promise.all([
    tellTo('plain', {}),
    tellTo('private', { privacy: privacyWith(newKey('k1')), workflows }),
  ]);
});

/** Stores all details of orders in a new Temporal, and stops it. */
async function tellTo(name: string, options: ServeOptions): Promise<Ran> {
  const dataDir = join(folder, name);
  const [sandbox, temporal] = await Promise.all([
    startTestSandbox(),
    startTemporal({ dataDir, port: 0, headless: true }),
  ]);
  const { address } = temporal;
  const { baseUrl, rpcUrl: chainRpcUrl, client } = sandbox;
  const orders = await runOrders(client, { ...options, address, baseUrl, chainRpcUrl });
  try {
    const told = await tellEverything(orders, sandbox);
    return { told, shown: await attributesOf(orders) };
  } finally {
    await orders.stop();
    await Promise.all([sandbox.stop(), temporal.stop()]);
  }
}

/** The names of all our search attributes that any order has. */
async function attributesOf({ client }: Orders): Promise<string[]> {
  const names = new Set<string>();
  for await (const { searchAttributes } of client.workflow.list()) {
    for (const name of Object.keys(searchAttributes)) names.add(name);
  }
  return [...names].filter((name) => name.startsWith('Steadfast')).sort();
}

function filesOf(name: string): Buffer {
  const dataDir = join(folder, name);
  return Buffer.concat(readdirSync(dataDir).map((file) => readFileSync(join(dataDir, file))));
}

/** The texts that are in these bytes, plain or in base64, in any case. */
function found(told: Told, bytes: Buffer): string[] {
  const plain = bytes.toString('latin1');
  const lower = plain.toLowerCase();
  return Object.keys(told).filter((name) => {
    const text = told[name] ?? '';
    return lower.includes(text.toLowerCase()) || inBase64(text).some((one) => plain.includes(one));
  });
}

/** A text inside other texts, in base64: it begins at one of three offsets of a group. */
function inBase64(text: string): string[] {
  return [0, 1, 2].map((shift) => {
    const bytes = Buffer.from(`${'x'.repeat(shift)}${text}`);
    const whole = bytes.subarray(0, bytes.length - (bytes.length % 3)).toString('base64');
    return whole.slice(shift === 0 ? 0 : 4);
  });
}

describe("the files of Temporal's database", () => {
  test('contain all details of orders with plain payloads', () => {
    const { told, shown } = plain;
    expect(Object.keys(told).length).toBeGreaterThan(15);
    expect(found(told, filesOf('plain'))).toEqual(Object.keys(told));
    expect(shown).toContain('SteadfastWallet');
  });

  test('contain no detail of orders with private payloads', () => {
    const { told, shown } = hidden;
    const bytes = filesOf('private');
    expect(bytes.includes('binary/encrypted')).toBe(true);
    expect(bytes.includes('transferSequence')).toBe(true);
    expect(found(told, bytes)).toEqual([]);
    expect(shown).toEqual(['SteadfastKind', 'SteadfastStatus']);
  });

  test('are searched for base64 too', () => {
    const text = 'Thessaloniki withdrew it';
    const haystacks = ['', 'a', 'ab'].map((lead) =>
      Buffer.from(Buffer.from(`${lead}${text} and more`).toString('base64')),
    );
    expect(haystacks.map((bytes) => found({ reason: text }, bytes))).toEqual(
      haystacks.map(() => ['reason']),
    );
  });
});
