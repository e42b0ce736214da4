import { Context } from '@temporalio/activity';
import type { WorkflowExecutionDescription } from '@temporalio/client';
import { z } from 'zod';
import type { CustodyApi } from '../../src/custody/endpoints';
import { amountFault } from '../../src/orders/input/fields';
import { BadOrderError, jsonBytesOf, orderBytesMax, readOrder } from '../../src/orders/input/read';
import type { ResolvedToken } from '../../src/orders/kind';
import { fingerprintOf, type MoneyFields } from '../../src/orders/money';
import { payoutPart, type ReadLine } from '../../src/orders/payout';
import type { LineBeside } from '../../src/orders/payout/lineBeside';
import {
  hashOf,
  hashOfBeside,
  hashOfLines,
  lineName,
  readLines,
  refuseLines,
} from '../../src/orders/payout/readLines';
import { shardIdOf, shardType } from '../../src/orders/payout/shardId';
import { partLinesMax, sumByToken } from '../../src/orders/payout/tally';
import { walletOfLine } from '../../src/orders/payout/walletOfLine';
import { counted } from '../../src/orders/progress/doing';
import { memoryKey } from '../../src/orders/progress/status';
import { refusing } from '../failure';
import { type Memory, memoryOf } from '../guard/memory';
import { refuseDestination } from '../guard/resolveOrder';
import { type From, resolveToken } from '../resolve';
import { keptSender } from './keptSenders';
import { otherLines } from './otherLines';
import { type AddedPart, behindOrders, type PayoutTerms, type ShardOrder } from './shardOrder';
import { knownRun } from './shardRuns';

/** A part as somebody has handed it over. */
type Handing = {
  terms: PayoutTerms;
  given: unknown;
  /** Its hash, where it was handed over before. */
  known: string | undefined;
  /** Then nothing takes the place of what was checked. */
  isSealed: boolean;
  /** The shards of all parts that are known. */
  shardIds: readonly string[];
};

/**
 * Accepts a part of a payout's lines: reads them, and starts the shard that pays them. The shard
 * waits until it is told to begin. The same part may be handed over again. With other lines it
 * replaces the first one until the seal, and is refused from then on. The seal also ends
 * corrections of what stands beside the payments, such as names. Later ones change nothing.
 */
export function addPartActivity(custody: CustodyApi, chainRpcUrl: string | undefined) {
  return async function addPart(handing: Handing): Promise<AddedPart> {
    const { terms, known, isSealed } = handing;
    const from = { custody, blockchain: terms.blockchain };
    return refusing(async () => {
      refuseTooMuch(handing.given);
      const { part, lines: given } = readOrder(partForm, handing.given);
      const lines = readLines(given, 1);
      const hash = hashOfLines(lines);
      const shardId = shardIdOf(terms.workflowId, part);
      const { shardIds } = handing;
      const own = isSealed && known === undefined ? undefined : shardId;
      const other = () => otherLines({ part, lines, shardId: own, shardIds });
      if (isSealed && known !== hash) throw await other();
      const tokens = await tokensOf(from, lines);
      const placed = lines.map((line) => ({
        ...line,
        wallet: walletOfLine(line.lineId, terms.wallets.length),
      }));
      refuseLost(placed, { terms, tokens });
      const added = { part, shardId, lines: lines.length, totals: sumByToken(lines), hash };
      const run = known === hash ? await knownRun(shardId) : undefined;
      if (run !== undefined && (isSealed || keepsBeside(run, lines))) return added;
      const asked = await Promise.all(
        tokens.map(async (token) => {
          const keepsSender = await keptSender(token, { terms, chainRpcUrl });
          return { ...token, ...(keepsSender && { keepsSender }) };
        }),
      );
      const isStarted = await startShard({ terms, part, tokens: asked, lines: placed }, hash);
      if (!isStarted) throw await other();
      return added;
    });
  };
}

/** Its order and its state are handed on together, and Temporal carries two megabytes. */
function refuseTooMuch(given: unknown): void {
  const bytes = jsonBytesOf(given);
  if (bytes <= orderBytesMax) return;
  throw new BadOrderError(
    `lines: have ${bytes} bytes as JSON, and a part may have ${orderBytesMax}. Hand over fewer lines ` +
      'in each part of this payout.',
  );
}

/** Its lines are read one by one, so that each fault names its line. */
const partForm = payoutPart.extend({ lines: z.array(z.unknown()).min(1).max(partLinesMax) });

/** Every token of the lines, once. */
async function tokensOf(from: From, lines: readonly ReadLine[]): Promise<ResolvedToken[]> {
  const tokens: ResolvedToken[] = [];
  for (const token of new Set(lines.map((line) => line.token))) {
    tokens.push(await resolveToken(from, { token, amount: '0' }));
  }
  return tokens;
}

/**
 * Refuses amounts that are none of their token. Money that is sent to its sender, or to the token's
 * own contract, is a mistake.
 */
function refuseLost(
  lines: ShardOrder['lines'],
  { terms, tokens }: Pick<ShardOrder, 'terms' | 'tokens'>,
): void {
  const faults = lines.flatMap((line, index) => {
    const token = tokenIn(tokens, line.token);
    const named = lineName(line, index + 1);
    const fault = amountFault(line.amount, { name: 'the token', decimals: token.decimals });
    if (fault !== undefined) return [`${named}: amount: "${line.amount}" ${fault}.`];
    try {
      const sending = { wallet: terms.wallets[line.wallet], token };
      refuseDestination(line.to, sending, terms.blockchain);
      return [];
    } catch (error) {
      if (!(error instanceof BadOrderError)) throw error;
      return [`${named}: ${error.message}`];
    }
  });
  refuseLines(faults);
}

function tokenIn(tokens: readonly ResolvedToken[], name: string): ResolvedToken {
  const token = tokens.find((known) => known.name === name);
  if (token === undefined) throw new Error(`Token ${name} was not resolved.`);
  return token;
}

/** True for the run of a shard whose lines have the same beside their payments, or that has begun. */
function keepsBeside(
  { memo }: Pick<WorkflowExecutionDescription, 'memo'>,
  lines: readonly LineBeside[],
): boolean {
  return memo?.began !== undefined || memo?.beside === hashOfBeside(lines);
}

/**
 * Starts the shard of a part, or finds that it runs. A shard with other lines makes room for it,
 * unless it may have sent some of them. Only that shard knows. Returns false in that case.
 */
async function startShard(order: ShardOrder, hash: string): Promise<boolean> {
  const { client, info } = Context.current();
  const { terms, part } = order;
  const { baseUrl, blockchain } = terms.memory;
  const wallets = hashOf(terms.wallets.map(({ walletId }) => walletId));
  const money: MoneyFields = { kind: shardType, lines: hash, wallets };
  const fingerprint = fingerprintOf(money);
  const memory: Memory = { fingerprint, money, baseUrl, blockchain, generations: {} };
  const shardId = shardIdOf(terms.workflowId, part);
  const other = async () => {
    const run = await knownRun(shardId);
    if (run === undefined || memoryOf(run)?.fingerprint !== fingerprint) return run;
    return keepsBeside(run, order.lines) ? undefined : run;
  };
  const replaced = await other();
  if (replaced?.memo?.began !== undefined) return false;
  await client.workflow.start(shardType, {
    workflowId: shardId,
    taskQueue: info.taskQueue,
    args: [order],
    workflowIdReusePolicy: 'ALLOW_DUPLICATE',
    // Should it begin just now, the new one finds that, and refuses to pay anything.
    workflowIdConflictPolicy: replaced === undefined ? 'USE_EXISTING' : 'TERMINATE_EXISTING',
    memo: { [memoryKey]: memory, beside: hashOfBeside(order.lines) },
    priority: behindOrders,
    staticSummary: `part ${part} of ${terms.workflowId}: ${counted(order.lines.length, 'line')}`,
  });
  // Another one may have been started in between, and then this one was not.
  return (await other()) === undefined;
}
