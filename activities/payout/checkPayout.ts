import { Context } from '@temporalio/activity';
import type { CustodyApi } from '../../src/custody/endpoints';
import { fromBaseUnits, toBaseUnits } from '../../src/custody/objects/amount';
import { shown } from '../../src/orders/input/shown';
import type { ResolvedToken } from '../../src/orders/kind';
import type { LineResult } from '../../src/orders/payout';
import { hashOfLines, refuse } from '../../src/orders/payout/readLines';
import { sealAgain } from '../../src/orders/payout/tally';
import { resolveToken } from '../resolve';
import { refusing } from './refusing';
import type { PayoutTerms } from './shardOrder';
import { shortWallets } from './shortWallets';

export type Checking = {
  terms: PayoutTerms;
  /** All parts: which shard has the lines, and the hash of what was handed over. */
  parts: { part: number; shardId: string; hash: string | undefined }[];
  maxTotal: Record<string, string> | undefined;
  strict: boolean;
  /** Of an earlier run some lines may be under way, so that what wallets hold proves nothing. */
  isFirst: boolean;
};

/** What was checked, and what somebody should look at before it is too late. */
export type Checked = { warnings: string[] };

const warningsMax = 20;

/**
 * Holds all lines of a payout against each other and against what the wallets hold, before the
 * first one is paid: two lines with one id, totals above the most that was allowed, and wallets
 * that hold too little are refused; two lines that are alike but for their ids are warned of.
 */
export function checkPayoutActivity(custody: CustodyApi) {
  return async function checkPayout(checking: Checking): Promise<Checked> {
    const context = Context.current();
    return refusing(async () => {
      const lines: PlacedLine[] = [];
      for (const { part, shardId, hash } of checking.parts) {
        const handle = context.client.workflow.getHandle(shardId);
        const own = await handle.query<LineResult[]>('lines');
        if (hash !== hashOfLines(own)) {
          refuse([`parts: the lines of part ${part} are being replaced. ${sealAgain}`]);
        }
        lines.push(...own.map((line) => ({ ...line, part })));
        context.heartbeat();
      }
      refuse(sharedIds(lines));
      const tokens = await tokensOf(custody, checking, lines);
      refuse(aboveMost(checking, lines, tokens));
      const alike = alikeLines(lines, tokens);
      if (checking.strict) refuse(alike);
      const short = await shortWallets(custody, { ...checking, lines, tokens });
      if (checking.isFirst) refuse(short);
      return { warnings: [...alike, ...short].slice(0, warningsMax) };
    });
  };
}

type PlacedLine = LineResult & { part: number };

function sharedIds(lines: readonly PlacedLine[]): string[] {
  const seen = new Map<string, number>();
  return lines.flatMap(({ lineId, part }) => {
    const earlier = seen.get(lineId);
    if (earlier === undefined) {
      seen.set(lineId, part);
      return [];
    }
    return [
      `lineId: ${shown(lineId)} has two lines, in parts ${earlier} and ${part}. Give each line an ` +
        `id of its own, and hand the mended part over. ${sealAgain}`,
    ];
  });
}

type Tokens = ReadonlyMap<string, ResolvedToken>;

/** Every token that a line or a limit names, by that name. */
async function tokensOf(
  custody: CustodyApi,
  { terms, maxTotal = {} }: Checking,
  lines: readonly LineResult[],
): Promise<Tokens> {
  const tokens = new Map<string, ResolvedToken>();
  for (const name of new Set([...lines.map(({ token }) => token), ...Object.keys(maxTotal)])) {
    const from = { custody, blockchain: terms.blockchain };
    tokens.set(name, await resolveToken(from, { token: name, amount: '0' }));
  }
  return tokens;
}

function known(tokens: Tokens, name: string): ResolvedToken {
  const token = tokens.get(name);
  if (token === undefined) throw new Error(`Token ${name} was not resolved.`);
  return token;
}

/** The address of a token. A native coin and its twin are one money, with one address. */
function moneyOf({ address }: ResolvedToken, { nativeTwins }: PayoutTerms): string {
  const lower = address.toLowerCase();
  return nativeTwins.some((twin) => twin.toLowerCase() === lower) ? '' : lower;
}

/** As many decimals as the finest token, since a native coin has more than its twin. */
const finest = 18;

/** A token may be called by its symbol in one place, and by its address in another. */
function aboveMost(
  { maxTotal = {}, terms }: Checking,
  lines: readonly LineResult[],
  tokens: Tokens,
): string[] {
  return Object.entries(maxTotal).flatMap(([name, most]) => {
    const money = moneyOf(known(tokens, name), terms);
    const own = lines.filter((line) => moneyOf(known(tokens, line.token), terms) === money);
    const total = own.reduce((sum, { amount }) => sum + toBaseUnits(amount, finest), 0n);
    if (total <= toBaseUnits(most, finest)) return [];
    const came = fromBaseUnits(total, finest);
    return [`maxTotal.${name}: the lines come to ${came}, and at most ${most} is allowed.`];
  });
}

function alikeLines(lines: readonly LineResult[], tokens: Tokens): string[] {
  const first = new Map<string, string>();
  return lines.flatMap(({ lineId, to, amount, token }) => {
    const payment = [to.toLowerCase(), amount, known(tokens, token).address].join(' ');
    const earlier = first.get(payment);
    if (earlier === undefined) {
      first.set(payment, lineId);
      return [];
    }
    return [
      `lines: ${shown(earlier)} and ${shown(lineId)} both pay ${amount} ${token} to ${to}. ` +
        'Make sure that both are meant.',
    ];
  });
}
