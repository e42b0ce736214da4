import { isNamedWhole } from '../../src/custody/readable';
import {
  batchesHash,
  codeOf,
  isOfBatch,
  readBatches,
  readReference,
  readWrite,
  refHash,
  refId,
} from '../../src/custody/reference';

const write = { workflowId: 'transfer:invoice-4711', step: 'transfer', item: '1', generation: 0 };

describe('the reference of a write', () => {
  it('is readable, then 16 hex digits of what the write is, then the generation', () => {
    expect(refId(write)).toBe('transfer:invoice-4711 transfer/1 9f2f9c9c1ff93065.g0');
  });

  it('shares its hash with all generations of the write', () => {
    expect(refId({ ...write, generation: 12 })).toBe(
      `transfer:invoice-4711 transfer/1 ${refHash(write)}.g12`,
    );
  });

  it('has a hash of its own for every other write', () => {
    const hashes = ['1', '2', '3'].map((item) => refHash({ ...write, item }));
    expect(new Set(hashes).size).toBe(3);
  });

  it('keeps the end of a long workflow id, where ids differ, and stays short', () => {
    const parts = { ...write, workflowId: `${'x'.repeat(500)}:invoice-4711` };
    expect(refId(parts)).toBe(
      `${'x'.repeat(60 - ':invoice-4711 transfer/1'.length)}:invoice-4711 transfer/1 ` +
        `${refHash(parts)}.g0`,
    );
  });
});

const victim = 'payout:victim';
const batches = batchesHash(victim);
const target = { workflowId: victim, step: 'line', item: 'a', generation: 0 };

/** Texts that would be read as the end of a reference, if they stood in one as they are. */
const imitations = [
  `1 ${batches}.b`,
  `x batch/${'0'.repeat(20)} ${batches}.b`,
  `x\tbatch/1\u00a0${batches}.b\u2003`,
  ` ${refId(target)}`,
  `${refId(target)} `,
  `\n${refId({ ...target, step: 'batch' })}`,
  `${codeOf(target)}\u2028${codeOf(target)}`,
  `${refHash(target)}.g1`,
  `${batches}.b ${refHash(target)}.g0`,
  `${'x'.repeat(80)} batch/1 ${batches}.b`,
  '\ud83d\ude00 \ud800 \u202e1g.0',
  '',
  ' ',
  '//',
];

describe('a text that imitates a reference names nothing else', () => {
  const places = ['workflowId', 'step', 'item'] as const;
  const table = imitations.flatMap((text) => places.map((place) => [place, text] as const));

  it.each(table)('as the %s: %j', (place, text) => {
    const parts = { ...write, [place]: text };
    const reference = refId(parts);
    expect(reference).toMatch(/^([\x21-\x7e]* )?[\x21-\x7e]+ [0-9a-f]{16}\.g0$/);
    expect(readReference(reference)).toEqual({ hash: refHash(parts), generation: 0 });
    expect(readBatches(reference)).toBeUndefined();
    const { isWhole, workflowId, step, item } = readWrite(reference) ?? {};
    const named = isWhole ? { workflowId, step, item, generation: 0 } : parts;
    expect(named).toEqual(parts);
    expect(isWhole && !isNamedWhole(parts)).toBe(false);
  });

  it.each(table)('in a batch, as the %s: %j', (place, text) => {
    const parts = { ...write, step: 'batch', [place]: text };
    const own = parts.step === 'batch' ? batchesHash(parts.workflowId) : undefined;
    // A long item cuts off its step. The name of a batch has twenty characters.
    expect([own, undefined]).toContain(readBatches(refId(parts)));
    const named = { ...parts, item: '0'.repeat(20) };
    expect(readBatches(refId(named))).toBe(own);
  });

  it.each([-1, 0.5, Number.NaN, `0 ${codeOf(target)}`])('as the generation: %j', (generation) => {
    const reference = refId({ ...write, generation: generation as number });
    expect(readReference(reference)).toBeUndefined();
  });
});

describe('a record of the list', () => {
  const ending = `${'0a39'.repeat(4)}.g0`;

  it.each([
    `transfer:evil transfer/1 ${batches}.b ${ending}`,
    `transfer:evil line/a ${batches}.b ${ending}`,
    `${batches}.b ${ending}`,
    `batch ${batches}.b ${ending}`,
    `x batch/1 ${batches}.b y ${ending}`,
    `x batch/1 ${batches}.b ${batches}.b ${ending}`,
    `batch/1 transfer/1 ${batches}.b ${ending}`,
  ])('that is of another step than batch is of no batch: %s', (reference) => {
    expect(readBatches(reference)).toBeUndefined();
    expect(isOfBatch(reference)).toBe(false);
  });

  it('that names a batch, but the batches of another payout, is of no batch', () => {
    const parts = { workflowId: 'payout:evil', step: 'batch', item: '1', generation: 0 };
    const own = refId(parts);
    expect(readBatches(own)).toBe(batchesHash('payout:evil'));
    expect(readBatches(own.replace(batchesHash('payout:evil'), batches))).toBeUndefined();
  });
});
