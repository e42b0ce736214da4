/** The number of blocks whose logs a node tells in one answer, as its refusals teach. */
export type Span = {
  /** The number to ask for now. */
  blocks(): number;
  /** A refusal has taught it. */
  isLearnt(): boolean;
  /** The largest number that was answered. A refusal of it takes that back. */
  answeredMax(): number;
  /** So many blocks were too many. The refusal may name the number. */
  refused(blocks: number, named: number | undefined): void;
  answered(blocks: number): void;
};

/** Most public nodes tell so many. */
const usual = 10_000;
const spanMax = 100_000;

/** Begins with a number that most nodes take. A node that refuses nothing is asked for more. */
export function createSpan(first = usual): Span {
  let [blocks, tooMany, fine] = [first, Number.POSITIVE_INFINITY, 0];
  return {
    blocks: () => blocks,
    isLearnt: () => tooMany < Number.POSITIVE_INFINITY,
    answeredMax: () => fine,
    refused(asked, named) {
      if (asked <= fine) [fine, tooMany] = [0, asked];
      tooMany = Math.min(tooMany, asked);
      blocks = Math.max(1, Math.min(blocks, named ?? Math.max(fine, Math.floor(asked / 2))));
    },
    answered(asked) {
      fine = Math.max(fine, asked);
      if (asked === blocks && tooMany === Number.POSITIVE_INFINITY) {
        blocks = Math.min(spanMax, blocks * 2);
      }
    },
  };
}
