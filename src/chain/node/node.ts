import { type BaseError, numberToHex } from 'viem';
import { publicLimits } from '../publicNode';
import { type CallAnswer, createSender, type Rpc, type Sender } from './asking';
import { type How, type Node, patienceEndMs, UnansweredError } from './calling';
import { machineClock, type NodeClock } from './clock';
import { createHeads, type Heads } from './heads';
import { logsOfRange, rangeIn } from './logs';
import { createPace } from './pace';
import { type Post, postTo } from './post';
import { createSpan } from './span';
import { witnessed } from './witness';

/** Methods whose answer null says that something is absent. */
const nullable = [
  'eth_getTransactionByHash',
  'eth_getTransactionReceipt',
  'eth_getBlockByNumber',
  'eth_getBlockByHash',
  'eth_getBlockReceipts',
];
/** Another backend may answer at once. */
const [behindFirstMs, behindMaxMs] = [10, 1_000];
const awayFirstMs = 100;

const nodes = new Map<string, Node>();

/** The node at a URL. The same one for all who ask in this process. */
export function nodeAt(url: string): Node {
  const known = nodes.get(url);
  if (known !== undefined) return known;
  const node = createNode({ post: postTo(url), origin: new URL(url).origin });
  nodes.set(url, node);
  return node;
}

/**
 * Makes a node from a way to reach it. The public node of a network begins with the limits that it
 * is known for.
 */
export function createNode(given: { post: Post; origin: string; clock?: NodeClock }): Node {
  const { post, origin, clock = machineClock } = given;
  const limits = publicLimits(origin);
  const pace = createPace(clock, limits?.callsPerSecond);
  const heads = createHeads(clock);
  const send = createSender({ post, pace, clock, url: origin });
  const together = (unit: readonly Rpc[], how: How) => persist(unit, how, { send, clock, heads });
  const node: Node = {
    origin,
    clock,
    pace,
    heads,
    span: createSpan(limits?.logBlocks),
    together,
    async request(call, how) {
      const range = rangeIn(call);
      if (range !== undefined) return logsOfRange(node, { call, range }, how);
      const known = await how.kept?.get(call);
      if (known !== undefined) return known;
      const [result] = (await together([call], how)) ?? [];
      const answer = isNothing(call, result) ? await absent(node, call, how) : result;
      if (answer !== null) await how.kept?.set(call, answer);
      return call.method === 'eth_blockNumber' ? numberToHex(heads.newest()) : answer;
    },
  };
  return node;
}

/**
 * The answer to a call for which one backend knows nothing. That counts only beside heads that are
 * as new as every block that the node has ever shown.
 */
function absent(node: Node, call: Rpc, how: How): Promise<unknown> {
  const block = (): number => Number(node.heads.newest());
  const isEnough = (answer: unknown): boolean => !isNothing(call, answer);
  return witnessed(node, { call, block, isEnough }, how);
}

/** True for an answer that says that nothing is there. */
function isNothing({ method, params }: Rpc, answer: unknown): boolean {
  // A pending block is in no backend's chain, and many nodes show none.
  if (answer === null) return nullable.includes(method) && params[0] !== 'pending';
  // A backend without the block of a number says so.
  const isNewest = !String(params[1] ?? 'latest').startsWith('0x');
  return answer === '0x' && method === 'eth_getCode' && isNewest;
}

type Parts = { send: Sender; clock: NodeClock; heads: Heads };

/** Makes calls until all of them are answered, or a part. */
async function persist(
  unit: readonly Rpc[],
  how: How,
  { send, clock, heads }: Parts,
): Promise<unknown[] | undefined> {
  let [untilMs, tries, away] = [how.untilMs ?? Number.POSITIVE_INFINITY, 0, 0];
  let last: Fault | undefined;
  for (;;) {
    const told = await send(unit, { isLater: how.isLater === true, untilMs });
    const results = told.flatMap((one) => ('result' in one ? [one.result] : []));
    if (results.length === unit.length) {
      for (const [at, call] of unit.entries()) heads.note(call, results[at]);
      return results;
    }
    const fault = told.find((one) => 'kind' in one);
    if (fault === undefined || !('kind' in fault)) continue;
    if (fault.kind === 'late') throw ended(last ?? fault, tries);
    if (results.length > 0 && (fault.kind === 'busy' || fault.kind === 'away')) return undefined;
    last = fault;
    tries += 1;
    if (tries === 1) untilMs = patienceEndMs(clock, how);
    const isOver = clock.now() >= untilMs;
    if (fault.kind === 'away' && away++ < how.triesAway && !isOver) {
      await clock.sleep(awayFirstMs * 2 ** away);
    } else if (fault.kind === 'behind' && !isOver) {
      await clock.sleep(Math.min(behindMaxMs, behindFirstMs * 2 ** tries));
    } else if (fault.kind !== 'busy' || isOver) throw ended(fault, tries);
  }
}

type Fault = Extract<CallAnswer, { kind: unknown }>;

function ended({ kind, error }: Fault, tries: number): BaseError {
  if (kind === 'late')
    return new UnansweredError('it takes no more calls in the time that is left');
  if (kind !== 'busy' && kind !== 'behind') return error;
  const words =
    kind === 'busy'
      ? `it is busy, and refused try ${tries} of this call as one too many`
      : `it lacks a block that it should have: ${error.details}`;
  return new UnansweredError(words, { cause: error });
}
