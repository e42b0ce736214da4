import type { CheckFinding } from '../../src/checks/check';
import { type CheckSources, checkLines } from '../../src/checks/checkLines';
import type { CustodyApi } from '../../src/custody/endpoints';
import { fromBaseUnits, toBaseUnits } from '../../src/custody/objects/amount';
import { moneyOf } from '../../src/custody/objects/money';
import type { CheckedLines } from '../../src/orders/input/checkedLines';
import { readOrder } from '../../src/orders/input/read';
import { shown } from '../../src/orders/input/shown';
import type { Signed } from '../../src/orders/input/signed';
import type { ResolvedToken } from '../../src/orders/kind';
import { type LineResult, type PayoutSeal, payoutSeal } from '../../src/orders/payout';
import { mayBePaid } from '../../src/orders/payout/mayBePaid';
import { differencesOf, wayOn } from '../../src/orders/payout/otherLines';
import { hashOf, hashOfLines, refuseLines } from '../../src/orders/payout/readLines';
import { finest, sumOfSums, wayToSeal } from '../../src/orders/payout/tally';
import type { PlaceInTree } from '../../src/writer/signing/lineTree';
import { refusing } from '../failure';
import { inSlices } from '../reading';
import { resolveToken } from '../resolve';
import { batchWarnings } from './batchWarnings';
import { shardLines } from './otherLines';
import { type PlacedLine, placesOf } from './placesOf';
import type { PayoutTerms } from './shardOrder';
import { linesNow } from './shardRuns';
import { shortWallets } from './shortWallets';

type Checking = {
  terms: PayoutTerms;
  /** The seal that the caller sent: the number of parts, and their totals. Not checked yet. */
  request: unknown;
  /** All parts: which shard has the lines, and the hash of what was handed over. */
  parts: HandedOver[];
  maxTotal: Record<string, string> | undefined;
  strict: boolean;
  /** False if lines of an earlier run may be under way: then no balance proves anything. */
  isFirst: boolean;
  /** They were checked before. */
  isSealed: boolean;
  /** The request of the payout, where it was signed. */
  signed?: Signed | undefined;
};

type HandedOver = {
  part: number;
  shardId: string;
  hash: string | undefined;
  totals: Record<string, string>;
};

/** The result of the check, with warnings that a person should read before the payout begins. */
type Checked = {
  warnings: string[];
  /** The checks of the lines. Unset where they were sealed before. */
  checks?: CheckedLines | undefined;
  /** The place of each part of a signed payout among all lines. */
  places?: Record<string, PlaceInTree> | undefined;
};

const warningsMax = 20;
/** Number of parts that are read at a time. */
const readAtOnceMax = 5;

/**
 * Compares all lines of a payout with each other and with what the wallets hold, before the first
 * one is paid. Refuses missing parts, two lines with one id, totals above the most that is allowed,
 * and wallets that hold too little. Warns of two lines that differ only in their ids.
 */
export function checkPayoutActivity(
  custody: CustodyApi,
  { chainRpcUrl, ...sources }: CheckSources & { chainRpcUrl: string | undefined },
) {
  return async function checkPayout(checking: Checking): Promise<Checked> {
    const { parts, terms, maxTotal = {}, isSealed, strict, isFirst } = checking;
    return refusing(async () => {
      const request = readOrder(payoutSeal, checking.request);
      if (isSealed) refuseLines(await leftOut(request, parts));
      refuseLines(incomplete(request, { parts, isFirst }));
      if (isSealed) return { warnings: [] };
      const lines = (await inSlices(parts, readAtOnceMax, linesOf)).flat();
      refuseLines(sharedIds(lines));
      const places = checking.signed && placesOf(lines, checking.signed);
      const tokens = new Map<string, ResolvedToken>();
      for (const token of new Set([...lines.map((line) => line.token), ...Object.keys(maxTotal)])) {
        const from = { custody, blockchain: terms.blockchain };
        tokens.set(token, await resolveToken(from, { token, amount: '0' }));
      }
      refuseLines(aboveMost(checking, lines, tokens));
      const { told: checks, findings } = await checkLines(lines, { ...terms, strict }, sources);
      if (strict) refuseLines(findings.map(sentenceOf));
      const short = await shortWallets(custody, { terms, lines, tokens });
      if (isFirst) refuseLines(short);
      const own = lines
        .map(({ token }) => tokens.get(token))
        .filter((token) => token !== undefined);
      const wary = await batchWarnings({ terms, tokens: new Set(own), chainRpcUrl });
      const alike = findings.filter(({ check }) => check === 'twice' || check === 'otherFace');
      const warnings = [...wary, ...alike.map(sentenceOf), ...short];
      return { warnings: warnings.slice(0, warningsMax), places, checks };
    });
  };
}

function sentenceOf({ lineId, words, check }: CheckFinding): string {
  return lineId === undefined
    ? `lines: ${words} (${check})`
    : `lines: ${shown(lineId)} ${words}. (${check})`;
}

/** The lines of a part, as its shard has them. Refuses those that are being replaced. */
async function linesOf({ part, shardId, hash }: HandedOver): Promise<PlacedLine[]> {
  const own = await linesNow(shardId);
  if (hash !== hashOfLines(own)) {
    refuseLines([`parts: the lines of part ${part} are being replaced. ${wayToSeal}`]);
  }
  return own.map((line) => ({ ...line, part }));
}

/** Names the lines of a sealed payout that a later seal leaves out. */
async function leftOut({ parts: count }: PayoutSeal, parts: HandedOver[]): Promise<string[]> {
  const out = parts.filter(({ part }) => part > count);
  if (out.length === 0) return [];
  const read = await inSlices(out, readAtOnceMax, ({ shardId }) => shardLines(shardId));
  const { faults } = differencesOf(
    read.flatMap((lines) => lines ?? []),
    [],
  );
  const named = faults.length === 0 ? '' : `: ${faults.join('; ')}`;
  return [`parts: were ${parts.length}, and are ${count}${named}. ${wayOn({ hasNew: false })}`];
}

/** Number of missing parts that a message names. */
const namedMax = 10;

/** The faults of a seal: parts that are missing, too many or others, and totals that differ. */
function incomplete(
  { parts: count, totals, root }: PayoutSeal,
  { parts, isFirst }: Pick<Checking, 'isFirst'> & { parts: Omit<HandedOver, 'shardId'>[] },
): string[] {
  const handed = new Set(parts.map(({ part }) => part));
  const missing: number[] = [];
  for (let part = 1; part <= count && missing.length < namedMax; part++)
    if (!handed.has(part)) missing.push(part);
  if (missing.length > 0) {
    return [`parts: ${missing.join(', ')} of ${count} are missing. Hand them over. ${wayToSeal}`];
  }
  if (parts.length !== count) {
    const way = isFirst
      ? 'Seal them all, or cancel this payout, of which nothing is paid, and start a new one.'
      : `Hand over the lines of then. ${mayBePaid}`;
    return [`parts: is ${count}, and ${parts.length} were handed over. ${way}`];
  }
  if (root !== undefined && root !== hashOf(parts.map(({ hash }) => hash))) {
    return [
      'root: other lines were handed over meanwhile, by another call. Find out whose it is. ' +
        'Then make the same call again.',
    ];
  }
  const come = sumOfSums(parts.map((part) => part.totals));
  const given = sumOfSums([totals]);
  return [...new Set([...Object.keys(come), ...Object.keys(given)])]
    .filter((token) => come[token] !== given[token])
    .map(
      (token) =>
        `totals.${token}: is ${given[token] ?? 0}, and the lines come to ${come[token] ?? 0}.`,
    );
}

/** The later ones of items that share a key, each with the first one. */
function repeated<T>(items: readonly T[], keyOf: (item: T) => string): [first: T, item: T][] {
  const first = new Map<string, T>();
  return items.flatMap((item): [T, T][] => {
    const key = keyOf(item);
    const earlier = first.get(key);
    if (earlier !== undefined) return [[earlier, item]];
    first.set(key, item);
    return [];
  });
}

function sharedIds(lines: readonly PlacedLine[]): string[] {
  return repeated(lines, ({ lineId }) => lineId).map(
    ([first, { lineId, part }]) =>
      `lineId: ${shown(lineId)} has two lines, in parts ${first.part} and ${part}. Give each line an ` +
      `id of its own, and hand the corrected part over. ${wayToSeal}`,
  );
}

type Tokens = ReadonlyMap<string, ResolvedToken>;

/** A token may be called by its symbol in one place, and by its address in another. */
function aboveMost(
  { maxTotal = {}, terms }: Checking,
  lines: readonly LineResult[],
  tokens: Tokens,
): string[] {
  const moneyIn = (name: string) => moneyOf(tokens.get(name)?.address ?? name, terms.blockchain);
  return Object.entries(maxTotal).flatMap(([name, most]) => {
    const own = lines.filter(({ token }) => moneyIn(token) === moneyIn(name));
    const total = own.reduce((sum, { amount }) => sum + toBaseUnits(amount, finest), 0n);
    if (total <= toBaseUnits(most, finest)) return [];
    const came = fromBaseUnits(total, finest);
    return [`maxTotal.${name}: the lines come to ${came}, and at most ${most} is allowed.`];
  });
}
