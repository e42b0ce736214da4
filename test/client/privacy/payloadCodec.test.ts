import { randomBytes } from 'node:crypto';
import type { Payload, SerializationContext } from '@temporalio/common';
import { defaultPayloadConverter } from '@temporalio/common';
import { createPayloadCodec } from '../../../src/client/privacy/payloadCodec';

const key = (id: string) => ({ id, bytes: randomBytes(32) });
const [first, second] = [key('k1'), key('k2')];
const words = 'to 0x523be5c33df156e5104b878dba71445db985ec7d';
const plain = defaultPayloadConverter.toPayload({ words, amount: '12.50' });
const of = (workflowId: string, namespace = 'default'): SerializationContext => ({
  type: 'workflow',
  namespace,
  workflowId,
});
const codec = createPayloadCodec([first], 'default');

async function encode(context?: SerializationContext, by = codec): Promise<Payload> {
  const [encoded] = await by.encode([plain], context);
  if (encoded === undefined) throw new Error('Nothing was encoded.');
  return encoded;
}

/** The decoded text of a payload, or the reason of its refusal. */
async function read(payload: Payload, context?: SerializationContext, by = codec) {
  const decoded = await by.decode([payload], context).catch((error: Error) => error.message);
  if (typeof decoded === 'string') return decoded;
  return defaultPayloadConverter.fromPayload(decoded[0] as Payload);
}

const value = { words, amount: '12.50' };

describe('an encrypted payload', () => {
  it('decodes unchanged, with its metadata, in its own workflow', async () => {
    const encoded = await encode(of('transfer:1'));
    const [decoded] = await codec.decode([encoded], of('transfer:1'));
    expect({ metadata: decoded?.metadata, data: decoded?.data }).toEqual(plain);
  });

  it('shows the name of its key, its namespace and workflow, and nothing else', async () => {
    const { metadata, data } = await encode(of('transfer:1'));
    const shown = Object.entries(metadata ?? {}).map(([name, bytes]) => [name, String(bytes)]);
    expect(Object.fromEntries(shown)).toEqual({
      encoding: 'binary/encrypted',
      'encryption-key-id': 'k1',
      namespace: 'default',
      'workflow-id': 'transfer:1',
    });
    expect(Buffer.from(data ?? []).includes('523be5c3')).toBe(false);
  });

  it('is different each time, since its nonce is', async () => {
    const [one, other] = [await encode(of('transfer:1')), await encode(of('transfer:1'))];
    expect(one.data?.slice(0, 12)).not.toEqual(other.data?.slice(0, 12));
  });

  it('is refused after a change to any byte of it', async () => {
    const { metadata = {}, data } = await encode(of('transfer:1'));
    const told = new Set<unknown>();
    for (let at = 0; at < (data?.length ?? 0); at++) {
      const changed = Uint8Array.from(data ?? []);
      changed[at] = (changed[at] ?? 0) ^ 1;
      told.add(await read({ metadata, data: changed }, of('transfer:1')));
    }
    expect([...told]).toEqual([expect.stringMatching(/does not hold what the key "k1"/)]);
  });

  it.each([0, 1, 12, 27, 28])('is refused when cut to %d bytes', async (length) => {
    const { metadata = {}, data } = await encode(of('transfer:1'));
    const told = await read({ metadata, data: data?.slice(0, length) ?? null }, of('transfer:1'));
    expect(told).toMatch(/does not hold what the key "k1"/);
  });

  it.each([
    ['namespace', 'other'],
    ['workflow-id', 'transfer:2'],
  ])('is refused when its %s is overwritten', async (name, text) => {
    const { metadata, data } = await encode(of('transfer:1'));
    const forged = { metadata: { ...metadata, [name]: Buffer.from(text) }, data: data ?? null };
    const asked = of(name === 'namespace' ? 'transfer:1' : text, name === 'namespace' ? text : '');
    expect(await read(forged, { ...asked, namespace: asked.namespace || 'default' })).toMatch(
      /does not hold what the key "k1"/,
    );
  });

  it('is refused when it is changed to belong to no workflow', async () => {
    const { metadata, data } = await encode(of('transfer:1'));
    const { 'workflow-id': _, ...less } = metadata ?? {};
    const told = await read({ metadata: less, data: data ?? null }, of('transfer:2'));
    expect(told).toMatch(/does not hold what the key "k1"/);
  });

  it('is refused in another workflow, and in another namespace', async () => {
    const encoded = await encode(of('transfer:1'));
    expect(await read(encoded, of('transfer:2'))).toBe(
      'The payload belongs to the workflow "transfer:1", and was moved to "transfer:2".',
    );
    expect(await read(encoded, of('transfer:1', 'other'))).toBe(
      'The payload belongs to the namespace "default", not to "other".',
    );
    const elsewhere = createPayloadCodec([first], 'other');
    expect(await read(encoded, undefined, elsewhere)).toMatch(/not to "other"/);
  });
});

describe('readers of a payload of', () => {
  const activity = { type: 'activity', namespace: 'default', isLocal: false } as const;
  const run = 'schedule:rent-2026-11-01T09:00:00Z';
  const nextRun = 'schedule:rent-2026-12-01T09:00:00Z';
  type Row = [string, SerializationContext | undefined, SerializationContext | undefined, boolean];
  const rows: Row[] = [
    ['a workflow: its activities', of('a'), { ...activity, workflowId: 'a' }, true],
    ['a workflow: those of another one', of('a'), { ...activity, workflowId: 'b' }, false],
    ['an activity: its workflow', { ...activity, workflowId: 'a' }, of('a'), true],
    ['a workflow: a reader without a known workflow', of('a'), undefined, true],
    ['nobody: any workflow of the namespace', undefined, of('a'), true],
    ['a schedule: its runs', of('schedule:rent'), of(run), true],
    ['a schedule: the runs of another one', of('schedule:pay'), of(run), false],
    ['a run of a schedule: the next run', of(run), of(nextRun), true],
    ['a run of a schedule: one that was triggered', of(run), of('schedule:rent:2026-12'), false],
    ['an order: one whose id only looks like a run', of('a'), of('a-2026-11-01T09:00:00Z'), false],
  ];
  it.each(rows)('%s', async (_, writer, reader, isRead) => {
    const told = await read(await encode(writer), reader);
    if (isRead) expect(told).toEqual(value);
    else expect(told).toMatch(/was moved to/);
  });
});

describe('keys', () => {
  it('are found by name after a rotation, and the new first one encrypts', async () => {
    const old = await encode(of('a'));
    const rotated = createPayloadCodec([second, first], 'default');
    expect(await read(old, of('a'), rotated)).toEqual(value);
    const { metadata } = await encode(of('a'), rotated);
    expect(String(metadata?.['encryption-key-id'])).toBe('k2');
  });

  it('that were removed are named', async () => {
    const removed = createPayloadCodec([second], 'default');
    expect(await read(await encode(of('a')), of('a'), removed)).toMatch(
      /^The payload is encrypted with the key "k1", and STEADFAST_CODEC_KEYS does not have it\. /,
    );
  });

  it('that were never set are asked for', async () => {
    const none = createPayloadCodec([], 'default');
    expect(await read(await encode(of('a')), of('a'), none)).toMatch(
      /^The payload is encrypted with the key "k1", and STEADFAST_CODEC_KEYS is not set here\. /,
    );
    const [untouched] = await none.encode([plain], of('a'));
    expect(untouched).toBe(plain);
  });

  it('with a known name but other bytes do not decrypt', async () => {
    const other = createPayloadCodec([key('k1')], 'default');
    expect(await read(await encode(of('a')), of('a'), other)).toMatch(/that name is another one/);
  });
});

it('a payload from before encryption still decodes, unless the codec is strict', async () => {
  expect(await read(plain, of('transfer:1'))).toEqual(value);
  const strict = createPayloadCodec([first], 'default', { isStrict: true });
  expect(await read(plain, of('transfer:1'), strict)).toMatch(
    /^The payload is not encrypted, and STEADFAST_CODEC_STRICT refuses that\. /,
  );
  expect(await read(await encode(of('transfer:1')), of('transfer:1'), strict)).toEqual(value);
});
