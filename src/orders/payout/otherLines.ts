import { type Exchange, exchangeInWords } from '../exchange/exchange';

/** A line, as far as it decides which money goes where. */
export type ComparedLine = Record<'lineId' | 'to' | 'amount' | 'token', string> & {
  /** Told beside an amount that was made from one in a currency. */
  exchange?: Exchange | undefined;
};

/** The differences between the lines of a payout and those that somebody hands over. */
export type Differences = {
  /** The first ones, each as a phrase. Empty if there is none. */
  faults: string[];
  /** True if some of the lines are not in the payout at all. */
  hasNew: boolean;
};

/** Number of differences that a message tells. */
const toldMax = 10;

type Placed = { line: ComparedLine; at: number };

/**
 * Compares the lines of a payout with those that somebody hands over, some at a time. It keeps only
 * lines that have no counterpart yet, so that long lists are compared as they come.
 */
export function comparison(missing = 'is missing') {
  const gone = new Map<string, Placed>();
  const added = new Map<string, Placed>();
  const changed: string[] = [];
  const counts = { before: 0, now: 0, changed: 0 };
  let isMoved = false;
  const pair = (before: Placed, now: Placed): void => {
    const faults = changes(before.line, now.line);
    isMoved ||= before.at !== now.at;
    counts.changed += faults.length;
    if (changed.length < toldMax) changed.push(...faults);
  };
  const meetBefore = (line: ComparedLine): void => {
    const before = { line, at: counts.before++ };
    const now = added.get(line.lineId);
    if (now === undefined) gone.set(line.lineId, before);
    else pair(before, now);
    added.delete(line.lineId);
  };
  const meetNow = (line: ComparedLine): void => {
    const now = { line, at: counts.now++ };
    const before = gone.get(line.lineId);
    if (before === undefined) added.set(line.lineId, now);
    else pair(before, now);
    gone.delete(line.lineId);
  };
  const meetRenamed = (): void => {
    for (const [now, before] of renamedIn(gone, added)) {
      added.delete(now);
      gone.delete(before);
      counts.changed += 1;
      if (changed.length >= toldMax) continue;
      changed.push(`line ${now} is line ${before} under another id: give it the id that it had`);
    }
  };
  return {
    /** Compares the next lines of both. */
    add: (before: readonly ComparedLine[], now: readonly ComparedLine[]): void => {
      for (let at = 0; at < Math.max(before.length, now.length); at++) {
        const [one, other] = [before[at], now[at]];
        if (one !== undefined) meetBefore(one);
        if (other !== undefined) meetNow(other);
      }
    },
    differences: (): Differences => {
      meetRenamed();
      const count = added.size + counts.changed + gone.size;
      const first = [
        ...firstOf(added).map((lineId) => `line ${lineId} is not in it`),
        ...changed,
        ...firstOf(gone).map((lineId) => `line ${lineId} ${missing}`),
      ].slice(0, toldMax);
      if (count > toldMax) first.push(`and ${count - toldMax} more`);
      const isSorted = count === 0 && isMoved;
      return {
        faults: isSorted ? ['the order of the lines differs'] : first,
        hasNew: added.size > 0,
      };
    },
  };
}

type Lines = ReadonlyMap<string, Placed>;

/**
 * The added lines that pay the same as one that is gone, each with the id of that one. A
 * spreadsheet makes 12 of 0012. Where several may be that line, none is new, since it would be
 * paid twice.
 */
function renamedIn(gone: Lines, added: Lines): [now: string, before: string][] {
  if (added.size === 0) return [];
  const idsOf = new Map<string, string[]>();
  for (const [lineId, { line }] of [...gone].reverse()) {
    const key = paymentOf(line);
    const ids = idsOf.get(key);
    if (ids === undefined) idsOf.set(key, [lineId]);
    else ids.push(lineId);
  }
  return [...added].flatMap(([lineId, { line }]) => {
    const ids = idsOf.get(paymentOf(line)) ?? [];
    const before = ids.length > 1 ? ids.pop() : ids[0];
    return before === undefined ? [] : [[lineId, before]];
  });
}

function paymentOf({ to, amount, token }: ComparedLine): string {
  return `${to} ${amount} ${token}`;
}

function firstOf(lines: ReadonlyMap<string, unknown>): string[] {
  return [...lines.keys()].slice(0, toldMax);
}

const names = { amount: 'amount', token: 'token', to: 'address' } as const;

/** The fields in which a line differs, each as a phrase. */
function changes(before: ComparedLine, now: ComparedLine): string[] {
  return (['amount', 'token', 'to'] as const)
    .filter((field) => before[field] !== now[field])
    .map((field) => {
      const [was, is] = [told(before, field), told(now, field)];
      return `the ${names[field]} of line ${now.lineId} was ${was}, is ${is}`;
    });
}

function told({ exchange, ...line }: ComparedLine, field: keyof typeof names): string {
  const isExchanged = field === 'amount' && exchange !== undefined;
  return isExchanged ? `${line.amount} (${exchangeInWords(exchange)})` : line[field];
}

/** The differences between two lists of lines. */
export function differencesOf(
  before: readonly ComparedLine[],
  now: readonly ComparedLine[],
  missing?: string,
): Differences {
  const compared = comparison(missing);
  compared.add(before, now);
  return compared.differences();
}

/** The differences between the wallets of two orders of a payout, as phrases. */
export function otherWallets(before: readonly string[], now: readonly string[]): string[] {
  const faults = [
    ...now.filter((id) => !before.includes(id)).map((id) => `wallet ${id} is not in it`),
    ...before.filter((id) => !now.includes(id)).map((id) => `wallet ${id} is missing`),
  ];
  const isSame = faults.length === 0 && before.every((id, at) => id === now[at]);
  return faults.length === 0 && !isSame ? ['the order of the wallets differs'] : faults;
}

/** The way on after lines that differ, which pays no line twice. */
export function wayOn({ hasNew }: Pick<Differences, 'hasNew'>): string {
  return hasNew
    ? 'Nothing is paid by this. Put only the new lines into a payout of their own.'
    : 'Nothing is paid by this. The payout keeps its lines as they were.';
}
