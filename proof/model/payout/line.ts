/**
 * An abstract write: as much of `next` as a payout relies on. `refine.ts` checks that each
 * transition of the product's own `next` is one of these.
 */
export type Line = {
  stage: 'unseen' | 'ready' | 'sending' | 'doubt' | 'asking' | 'accepted' | End;
  generation: number;
  /** Every attempt of this generation provably had no effect. */
  isClean: boolean;
  isProven: boolean;
  isCancelled: boolean;
  /** The service has refused it, and the list has the last word. */
  isRefused: boolean;
  /** The key is older than the service remembers it. */
  isOld: boolean;
  /** It was looked up before the writer began. */
  isOutdated: boolean;
};

export type End = 'paid' | 'failed' | 'skipped' | 'givenUp';

/** A record of the service. Its state is what has really happened. */
export type Record = {
  generation: number;
  state: 'pending' | 'paid' | 'void';
  isListed: boolean;
  isKeyKnown: boolean;
};

export const newLine: Line = {
  stage: 'unseen',
  generation: 0,
  isClean: true,
  isProven: false,
  isCancelled: false,
  isRefused: false,
  isOld: false,
  isOutdated: false,
};

export function isOver({ stage }: Line): boolean {
  return ['paid', 'failed', 'skipped', 'givenUp'].includes(stage);
}

export function isLive({ state }: Record): boolean {
  return state !== 'void';
}

type After = (line: Line, records: readonly Record[]) => Line[];

/** The states that can follow from each kind of event, in the words of the machine. */
export const events = {
  /** A look-up shows what is listed. */
  looked: (line, records) => {
    if (!['unseen', 'doubt', 'asking'].includes(line.stage)) return [];
    const shown = records.filter(({ isListed }) => isListed);
    const top = Math.max(-1, ...shown.map(({ generation }) => generation));
    // The record of the attempt before is read by itself: see `confirmed`.
    if (shown.some(isLive) && top === line.generation - 1) return [at(line, 'unseen')];
    if (shown.some(isLive) || top >= line.generation) {
      const found = { ...line, generation: top, isProven: false };
      return [at(found, 'accepted'), at(line, 'asking')];
    }
    const isProven = line.isProven || (top >= 0 && top === line.generation - 1);
    const known = { ...line, isProven, isOutdated: false };
    if (line.isRefused && line.isClean) return [at(known, 'failed')];
    if (line.stage !== 'unseen') return [at(known, 'doubt'), at(known, 'asking')];
    if (line.generation === 0 || isProven) return [at(known, 'ready')];
    const doubted = at({ ...known, isClean: false }, 'doubt');
    return line.isClean ? [at(known, 'failed'), doubted] : [doubted];
  },
  sending: (line) => {
    if (line.stage !== 'ready') return [];
    if (!line.isCancelled) return [at(line, 'sending')];
    return [line.isClean ? at(line, 'skipped') : at(line, 'doubt')];
  },
  /** The outcome of an attempt, after it has arrived or has not. */
  answered: (line, records) => {
    if (line.stage !== 'sending') return [];
    const isThere = records.some(({ generation }) => generation === line.generation);
    const ambiguous = { ...line, isClean: false };
    // A writer that has begun since the look-up sends nothing.
    if (line.isOutdated) return [at(line, 'unseen'), at(ambiguous, 'ready')];
    return [
      at(ambiguous, 'doubt'),
      at(ambiguous, 'ready'),
      at(ambiguous, 'unseen'),
      ...(isThere ? [at(line, 'accepted')] : []),
      ...(!isThere && line.isClean
        ? [at(line, 'ready'), at(line, 'unseen'), at({ ...line, isRefused: true }, 'unseen')]
        : []),
    ];
  },
  /** Record and receipt. */
  settled: (line, records) => {
    if (line.stage !== 'accepted' && line.stage !== 'asking') return [];
    const own = records.filter(({ generation }) => generation === line.generation);
    const isVoid = own.length > 0 && !own.some(isLive);
    return [
      at(line, 'accepted'),
      at(line, 'asking'),
      ...(own.some(({ state }) => state === 'paid') ? [at(line, 'paid')] : []),
      ...(isVoid ? [at(line, 'failed')] : []),
      ...(isVoid && line.isCancelled ? [at(line, 'skipped')] : []),
    ];
  },
  /** The chain confirms that the generation before had no effect. */
  proven: (line, records) => {
    const isVoid = (at: number): boolean => {
      const own = records.filter(({ generation }) => generation === at);
      return own.length > 0 && !own.some(isLive);
    };
    const next = { ...line, generation: line.generation + 1, isProven: true };
    // A person was asked while its next attempt waited for the proof.
    if (line.stage === 'asking' && isVoid(line.generation)) return [at(next, 'unseen')];
    if (line.stage !== 'unseen' || !isVoid(line.generation - 1)) return [];
    return [{ ...line, isProven: true }];
  },
  /** The chain shows that the generation before is the payment, or that its record is another's. */
  confirmed: (line, records) => {
    const generation = line.generation - 1;
    const own = records.filter((one) => one.generation === generation);
    if (line.stage !== 'unseen' || own.length === 0) return [];
    const before = { ...line, generation, isProven: false };
    const isPaid = own.some(({ state }) => state === 'paid');
    return [at(before, 'asking'), ...(isPaid ? [at(before, 'paid')] : [])];
  },
  /** The record of the generation before is gone, so nothing proves that it had no effect. */
  lost: (line) =>
    line.stage === 'unseen' && line.generation > 0
      ? [at({ ...line, generation: line.generation - 1 }, 'asking')]
      : [],
  /** Nobody can read its record, or the list, for the whole grace period. */
  unread: (line) => {
    const mayBeThere = ['doubt', 'accepted', 'asking'].includes(line.stage) || !line.isClean;
    return mayBeThere && !isOver(line) ? [at(line, 'asking')] : [];
  },
  /** A person answers. What the checks refuse is left out. */
  found: (line, records) => {
    if (line.stage !== 'asking') return [];
    const own = records.filter(({ generation }) => generation === line.generation);
    const next = { ...newLine, generation: line.generation + 1, isCancelled: line.isCancelled };
    const mayStart = line.generation === 0 || line.isProven;
    return [
      at(line, 'givenUp'),
      ...(line.isCancelled && !records.some(isLive) ? [at(line, 'skipped')] : []),
      ...(mayStart && !line.isCancelled && !line.isOld ? [at(line, 'ready')] : []),
      ...records.map(({ generation }) => at({ ...line, generation, isProven: false }, 'accepted')),
      ...(own.some(({ state }) => state === 'paid') ? [at(line, 'paid')] : []),
      // The next generation waits for the proof that this one had no effect.
      ...(own.length > 0 ? [next] : []),
    ];
  },
  cancel: (line) => [{ ...line, isCancelled: true }],
  /** A reset run knows less than was sent. */
  forgot: (line) => {
    const less = { ...line, isClean: false };
    if (line.stage === 'unseen' || line.stage === 'ready') return [at(less, 'unseen')];
    return line.stage === 'doubt' || line.stage === 'asking' ? [at(less, 'doubt')] : [];
  },
} satisfies { [kind: string]: After };

function at(line: Line, stage: Line['stage']): Line {
  return { ...line, stage };
}
