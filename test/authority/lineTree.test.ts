import { createHash } from 'node:crypto';
import {
  leafOf,
  pathIn,
  placeIn,
  rootFrom,
  type TreeLine,
  treeAround,
  treeOf,
} from '../../src/authority/lineTree';

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
            return rootFrom({ leaf: leafOf(index, line), index, all, path: pathIn(own, index) });
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
    const path = pathIn(tree, index);
    const proof = { leaf: leafOf(index, line), index, all, path };
    expect(rootFrom(proof)).toBe(tree.hash);
    const others = [
      { ...proof, leaf: leafOf(index, { ...line, amount: '5.01' }) },
      { ...proof, leaf: leafOf(index, { ...line, lineId: 'a-5' }) },
      { ...proof, leaf: leafOf(5, line), index: 5 },
      { ...proof, index: 5 },
      { ...proof, index: -1 },
      { ...proof, index: 11 },
      { ...proof, all: 4 },
      { ...proof, path: path.slice(1) },
      { ...proof, path: [...path, tree.hash] },
      { ...proof, path: [...path].reverse() },
      { ...proof, leaf: tree.below?.[0].hash ?? '', path: path.slice(-1) },
    ];
    for (const other of others) expect(rootFrom(other)).not.toBe(tree.hash);
  });
});
