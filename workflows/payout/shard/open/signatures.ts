import { batchStep } from '../../../../src/custody/batch';
import { allLines } from '../../../../src/custody/objects/approval';
import type { LineTarget } from '../../../../src/orders/payout/lineTarget';
import {
  type LineTree,
  type PlaceInTree,
  proofIn,
  treeAround,
} from '../../../../src/writer/signing/lineTree';
import type { WriteName } from '../../../write/step';
import { pathOf, type WritesOwner } from '../../../write/writes';
import type { CarriedBatch, Steer } from '../../records';

type Known = Pick<WritesOwner['carried'], 'writes'> & {
  steer: Pick<Steer, 'signed'>;
  batches?: Readonly<Record<string, CarriedBatch>>;
};

/**
 * The signatures of each write: the signatures of its payout, and the proof that its lines are
 * among the signed lines. The tree is made once, since each write asks for its proof.
 */
export function signaturesIn(
  carried: Known,
  lines: readonly Ordered[],
): NonNullable<WritesOwner['signed']> {
  let known: { place: PlaceInTree; tree: LineTree } | undefined;
  const treeAt = (place: PlaceInTree): LineTree => {
    if (known === undefined || !isSame(known.place, place)) {
      known = { place, tree: treeAround(lines.map(asOrdered), place) };
    }
    return known.tree;
  };
  const places = new Map(lines.map(({ item }, at) => [item, at]));
  return (named) => {
    const { signed } = carried.steer;
    if (signed === undefined) return undefined;
    const { request, place } = signed;
    const attempts = attemptsIn(carried, named);
    const own = attempts.map(({ lineId, generation }) => `line/${lineId}#${generation}`);
    const decisions = signed.decisions.filter(({ target }) => [allLines, ...own].includes(target));
    const paid = attempts.flatMap(({ lineId, generation }) => {
      const at = places.get(lineId);
      return at === undefined ? [] : [{ lineId, generation, index: place.first + at }];
    });
    const token = lines[(paid[0]?.index ?? 0) - place.first]?.token.name ?? '';
    const others = proofIn(
      treeAt(place),
      paid.map(({ index }) => index),
    );
    return { request, decisions, proof: { token, lines: paid, others } };
  };
}

/** The attempts at lines that a write makes. */
function attemptsIn({ writes, batches = {} }: Known, { step, item }: WriteName): LineTarget[] {
  const batch = step === batchStep ? batches[item] : undefined;
  if (batch !== undefined) return batch.payments.flatMap(({ line }) => line ?? []);
  return [{ lineId: item, generation: writes[pathOf({ step, item })]?.generation ?? 0 }];
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
