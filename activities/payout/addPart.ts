import { Context } from '@temporalio/activity';
import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import type { CustodyApi } from '../../src/custody/endpoints';
import { fromBaseUnits, toBaseUnits } from '../../src/custody/objects/amount';
import { amountFault } from '../../src/orders/input/fields';
import { BadOrderError } from '../../src/orders/input/read';
import type { ResolvedToken } from '../../src/orders/kind';
import { fingerprintOf, type Money } from '../../src/orders/money';
import type { ReadLine } from '../../src/orders/payout';
import { hashOf, hashOfLines, nameOf, readLines, refuse } from '../../src/orders/payout/readLines';
import { counted } from '../../src/orders/payout/tally';
import { walletOfLine } from '../../src/orders/payout/walletOfLine';
import { memoryKey } from '../../src/orders/progress/status';
import { type Memory, memoryOf } from '../guard/earlierRuns';
import { refuseDestination } from '../guard/resolveOrder';
import { type From, resolveToken } from '../resolve';
import { refused, refusing } from './refusing';
import { behindOrders, type PayoutTerms, type ShardOrder, shardIdOf } from './shardOrder';

/** A part as somebody has handed it over. */
export type Handing = {
  terms: PayoutTerms;
  part: number;
  lines: unknown[];
  /** Its hash, where it was handed over before. */
  known?: string;
  /** Then nothing takes the place of what was checked. */
  isSealed: boolean;
};

/** A part that was taken. */
export type AddedPart = {
  part: number;
  shardId: string;
  lines: number;
  /** By token, in its own units. */
  totals: Record<string, string>;
  hash: string;
};

/**
 * Takes a part of a payout's lines: reads them, and starts the shard that pays them, which waits
 * until it is told to begin. Handed over again it is the same part; with other lines it takes the
 * place of the first until the seal, and is refused from then on.
 */
export function addPartActivity(custody: CustodyApi) {
  return async function addPart(handing: Handing): Promise<AddedPart> {
    const { terms, part, known } = handing;
    const from = { custody, blockchain: terms.blockchain };
    return refusing(async () => {
      const lines = readLines(handing.lines, 1);
      const hash = hashOfLines(lines);
      const shardId = shardIdOf(terms.workflowId, part);
      if (handing.isSealed && known !== hash) throw otherLines(part);
      const tokens = await tokensOf(from, lines);
      const added = { part, shardId, lines: lines.length, totals: totalsOf(lines, tokens), hash };
      const { client } = Context.current();
      const isForgotten = async () => (await memoryAt(client, shardId)) === undefined;
      if (known === hash && !(await isForgotten())) return added;
      const placed = lines.map((line) => ({
        ...line,
        wallet: walletOfLine(line.lineId, terms.wallets.length),
      }));
      refuseLost(placed, { terms, tokens });
      await startShard({ terms, part, tokens, lines: placed, generations: {} }, hash);
      return added;
    });
  };
}

/** Every token of the lines, once. */
async function tokensOf(from: From, lines: readonly ReadLine[]): Promise<ResolvedToken[]> {
  const tokens: ResolvedToken[] = [];
  for (const token of new Set(lines.map((line) => line.token))) {
    tokens.push(await resolveToken(from, { token, amount: '0' }));
  }
  refuse(
    lines.flatMap((line, index) => {
      const { decimals } = tokenIn(tokens, line.token);
      const fault = amountFault(line.amount, { name: 'the token', decimals });
      return fault === undefined
        ? []
        : [`${nameOf(line, index + 1)}: amount: "${line.amount}" ${fault}.`];
    }),
  );
  return tokens;
}

/** Money that is sent to its sender, or to the token's own contract, is a mistake. */
function refuseLost(
  lines: ShardOrder['lines'],
  { terms, tokens }: Pick<ShardOrder, 'terms' | 'tokens'>,
): void {
  const faults = lines.flatMap((line, index) => {
    try {
      const token = tokenIn(tokens, line.token);
      const sending = { wallet: terms.wallets[line.wallet], token };
      refuseDestination(line.to, sending, terms.blockchain);
      return [];
    } catch (error) {
      if (!(error instanceof BadOrderError)) throw error;
      return [`${nameOf(line, index + 1)}: ${error.message}`];
    }
  });
  refuse(faults);
}

function totalsOf(
  lines: readonly ReadLine[],
  tokens: readonly ResolvedToken[],
): Record<string, string> {
  const sums = tokens.map(({ name, decimals }) => {
    const own = lines.filter(({ token }) => token === name);
    const units = own.reduce((sum, { amount }) => sum + toBaseUnits(amount, decimals), 0n);
    return [name, fromBaseUnits(units, decimals)] as const;
  });
  return Object.fromEntries(sums);
}

function tokenIn(tokens: readonly ResolvedToken[], name: string): ResolvedToken {
  const token = tokens.find((known) => known.name === name);
  if (token === undefined) throw new Error(`Token ${name} was not resolved.`);
  return token;
}

/**
 * Starts the shard of a part, or finds that it runs. One with other lines has to make room for it,
 * and is refused to where it may have sent some: whatever the payout knows, the shard knows best.
 */
async function startShard(order: ShardOrder, hash: string): Promise<void> {
  const { client, info } = Context.current();
  const { terms, part } = order;
  const { baseUrl, blockchain } = terms;
  const wallets = hashOf(terms.wallets.map(({ walletId }) => walletId));
  const money: Money = { kind: 'payoutShard', lines: hash, wallets };
  const fingerprint = fingerprintOf(money);
  const memory: Memory = { fingerprint, money, baseUrl, blockchain, generations: {}, began: false };
  const shardId = shardIdOf(terms.workflowId, part);
  const other = async (): Promise<Memory | undefined> => {
    const known = await memoryAt(client, shardId);
    return known?.fingerprint === fingerprint ? undefined : known;
  };
  const replaced = await other();
  if (replaced !== undefined && replaced.began !== false) throw otherLines(part);
  await client.workflow.start('payoutShard', {
    workflowId: shardId,
    taskQueue: info.taskQueue,
    args: [order],
    workflowIdReusePolicy: 'ALLOW_DUPLICATE',
    // Should it begin just now, the new one finds that, and refuses to pay anything.
    workflowIdConflictPolicy: replaced === undefined ? 'USE_EXISTING' : 'TERMINATE_EXISTING',
    memo: { [memoryKey]: memory },
    priority: behindOrders,
    staticSummary: `part ${part} of ${terms.workflowId}: ${counted(order.lines.length, 'line')}`,
  });
  // Another one may have been started in between, and then this one was not.
  if ((await other()) !== undefined) throw otherLines(part);
}

/** What a shard was started with; undefined where there is none. */
async function memoryAt(client: Client, shardId: string): Promise<Memory | undefined> {
  try {
    return memoryOf(await client.workflow.getHandle(shardId).describe());
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return undefined;
    throw error;
  }
}

function otherLines(part: number) {
  return refused(
    `part: ${part} was handed over before, with other lines. Hand over the same ones, in the ` +
      'same order; other lines need another payoutId.',
  );
}
