import { createHash } from 'node:crypto';
import {
  leafOf,
  placeIn,
  proofIn,
  rootFrom,
  type TreeLine,
  treeAround,
  treeOf,
} from '../../../src/writer/signing/lineTree';

const linesOf = (count: number): TreeLine[] =>
  Array.from({ length: count }, (_, at) => ({
    lineId: `a-${at}`,
    to: '0x523b27014BA9331e4a6c1bD7BC3b2b9F3B2BEC7d',
    amount: String(at + 1),
    token: 'USDC',
  }));

/** The definition of RFC 6962, section 2.1, in its own words. */
function rootOf(leaves: Buffer[]): Buffer {
  const hash = (...parts: Buffer[]) => createHash('sha256').update(Buffer.concat(parts)).digest();
  const [only] = leaves;
  if (leaves.length === 1 && only !== undefined) return hash(Buffer.from([0]), only);
  let middle = 1;
  while (middle * 2 < leaves.length) middle *= 2;
  const [left, right] = [leaves.slice(0, middle), leaves.slice(middle)];
  return hash(Buffer.from([1]), rootOf(left), rootOf(right));
}

const sizes = Array.from({ length: 20 }, (_, at) => at + 1);

describe('the tree of lines', () => {
  it.each([...sizes, 64, 65, 1_000])(
    'of %s is that of RFC 6962 over the canonical JSON of index and line',
    (all) => {
      const texts = linesOf(all).map(({ lineId, to, amount }, at) =>
        Buffer.from(
          `[${at},{"amount":"${amount}","lineId":"${lineId}","to":"${to}","token":"USDC"}]`,
        ),
      );
      expect(treeOf(linesOf(all)).hash).toBe(rootOf(texts).toString('hex'));
    },
  );

  it.each(sizes)(
    'of %s proves each line by those of its own part, and a few hashes of the others',
    (all) => {
      const lines = linesOf(all);
      const tree = treeOf(lines);
      for (let first = 0; first < all; first++) {
        for (let count = 1; count <= all - first; count++) {
          const place = placeIn(tree, first, count);
          expect(place.others.length).toBeLessThanOrEqual(2 * Math.ceil(Math.log2(all + 1)));
          const own = treeAround(lines.slice(first, first + count), place);
          const roots = lines.slice(first, first + count).map((line, at) => {
            const index = first + at;
            const leaves = new Map([[index, leafOf(index, line)]]);
            return rootFrom({ leaves, all, others: proofIn(own, [index]) });
          });
          expect(new Set(roots)).toEqual(new Set([tree.hash]));
        }
      }
    },
  );

  it('proves no other line, index, number of lines or path, and no node as a leaf', () => {
    const lines = linesOf(11);
    const tree = treeOf(lines);
    const [index, all] = [4, 11];
    const line = lines[index] as TreeLine;
    const leaf = leafOf(index, line);
    const others = proofIn(tree, [index]);
    const proof = { leaves: new Map([[index, leaf]]), all, others };
    const at = (place: number, hash: string) => ({ ...proof, leaves: new Map([[place, hash]]) });
    expect(rootFrom(proof)).toBe(tree.hash);
    const wrong = [
      at(index, leafOf(index, { ...line, amount: '5.01' })),
      at(index, leafOf(index, { ...line, lineId: 'a-5' })),
      at(5, leafOf(5, line)),
      ...[5, -1, 11].map((place) => at(place, leaf)),
      { ...proof, leaves: new Map() },
      { ...proof, all: 4 },
      { ...proof, others: others.slice(1) },
      { ...proof, others: [...others, tree.hash] },
      { ...proof, others: [...others].reverse() },
      { ...at(index, tree.below?.[0].hash ?? ''), others: others.slice(-1) },
    ];
    for (const other of wrong) expect(rootFrom(other)).not.toBe(tree.hash);
  });

  it('proves many lines together, and no other line among them', () => {
    const all = 37;
    const lines = linesOf(all);
    const tree = treeOf(lines);
    const leafAt = (index: number) => leafOf(index, lines[index] as TreeLine);
    for (const indexes of [[0], [0, 36], [3, 4, 5], [1, 8, 9, 20, 35], [...lines.keys()]]) {
      const leaves = new Map(indexes.map((index) => [index, leafAt(index)]));
      const others = proofIn(tree, indexes);
      expect(rootFrom({ leaves, all, others })).toBe(tree.hash);
      const [first = 0] = indexes;
      const swapped = new Map(leaves).set(first, leafAt((first + 1) % all));
      expect(rootFrom({ leaves: swapped, all, others })).not.toBe(tree.hash);
      const fewer = new Map([...leaves].slice(1));
      expect(rootFrom({ leaves: fewer, all, others })).not.toBe(tree.hash);
    }
  });

  it('proves a hundred lines in a row with as many hashes as two of them', () => {
    const tree = treeOf(linesOf(10_000));
    const row = Array.from({ length: 100 }, (_, at) => 2_550 + at);
    expect(proofIn(tree, row).length).toBeLessThanOrEqual(2 * 14);
    expect(proofIn(tree, [2_550]).length).toBeLessThanOrEqual(14);
  });
});
