import {
  type LineTree,
  type PlaceInTree,
  pathIn,
  treeAround,
} from '../../../src/authority/lineTree';
import { allLines } from '../../../src/custody/objects/approval';
import { pathOf, type Writer } from '../../write/happened';
import type { Steer } from '../records';

/**
 * The signatures of each line: those of its payout, and the proof that it is one of the lines that
 * were signed. The tree is made once, since each line asks for its path.
 */
export function signaturesIn(
  carried: Pick<Writer['carried'], 'writes'> & { steer: Pick<Steer, 'signed'> },
  lines: readonly Ordered[],
): NonNullable<Writer['signed']> {
  let known: { place: PlaceInTree; tree: LineTree } | undefined;
  const treeAt = (place: PlaceInTree): LineTree => {
    if (known === undefined || !isSame(known.place, place)) {
      known = { place, tree: treeAround(lines.map(asOrdered), place) };
    }
    return known.tree;
  };
  return ({ item }) => {
    const { signed } = carried.steer;
    const at = lines.findIndex((line) => line.item === item);
    const line = lines[at];
    if (signed === undefined || line === undefined) return undefined;
    const { request, place } = signed;
    const own = pathOf({ step: 'line', item });
    const target = `${own}#${carried.writes[own]?.generation ?? 0}`;
    const decisions = signed.decisions.filter((one) => [allLines, target].includes(one.target));
    const index = place.first + at;
    const path = pathIn(treeAt(place), index);
    return { request, decisions, line: { index, token: line.token.name, path } };
  };
}

/** Each wish of the payout brings the place once more. */
function isSame(one: PlaceInTree, other: PlaceInTree): boolean {
  const isSamePart = one.first === other.first && one.all === other.all;
  return isSamePart && one.others.every((hash, at) => hash === other.others[at]);
}

type Ordered = { item: string; to: string; amount: string; token: { name: string } };

function asOrdered({ item: lineId, to, amount, token }: Ordered) {
  return { lineId, to, amount, token: token.name };
}
