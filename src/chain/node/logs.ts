import { BaseError, numberToHex, RpcRequestError, TimeoutError } from 'viem';
import type { Rpc } from './asking';
import type { How, Node } from './calling';
import { faultKind, isTooLong, spanIn } from './fault';
import { witnessed } from './witness';

/** The blocks of a question, with both ends. */
type LogRange = { from: number; to: number };
type Asked = { call: Rpc; range: LogRange };

/**
 * A backend that lags by more than so many blocks is out of use. Closer to the head, it has to show
 * in the same answer that it has the last block of the range.
 */
const lagMax = 2_000;

/** The range of a question for logs that names its blocks by numbers. */
export function rangeIn({ method, params: [filter] }: Rpc): LogRange | undefined {
  if (method !== 'eth_getLogs' || typeof filter !== 'object' || filter === null) return undefined;
  const own = (name: string): unknown => Object.getOwnPropertyDescriptor(filter, name)?.value;
  const [from, to] = [own('fromBlock'), own('toBlock')];
  if (!isNumber(from) || !isNumber(to) || own('blockHash') !== undefined) return undefined;
  return { from: Number(from), to: Number(to) };
}

function isNumber(value: unknown): value is string {
  return typeof value === 'string' && value.startsWith('0x');
}

/**
 * The logs of a range, however long. It is asked for in parts that the node takes. They end at the
 * same blocks each time, so that a part that was kept is found again.
 */
export async function logsOfRange(
  node: Node,
  { call, range }: Asked,
  how: How,
): Promise<unknown[]> {
  const found: unknown[] = [];
  // Blocks after some with too many logs are asked for in smaller parts too.
  let most = Number.POSITIVE_INFINITY;
  for (let from = range.from; from <= range.to; ) {
    const size = Math.max(1, Math.min(node.span.blocks(), most));
    const to = Math.min(range.to, (Math.floor(from / size) + 1) * size - 1);
    const part = { call: withRange(call, { from, to }), range: { from, to } };
    const told = await logsOfPart(node, part, how);
    if (Array.isArray(told)) {
      found.push(...told);
      from = to + 1;
      most *= 2;
    } else most = told.most;
  }
  return found;
}

/** The logs of a part, or the number of blocks to ask for instead. */
async function logsOfPart(
  node: Node,
  part: Asked,
  how: How,
): Promise<unknown[] | { most: number }> {
  const known = await how.kept?.get(part.call);
  if (Array.isArray(known)) return known;
  const blocks = part.range.to - part.range.from + 1;
  try {
    const logs = await logsOnce(node, part, how);
    node.span.answered(blocks);
    if (isBuried(node, part.range)) await how.kept?.set(part.call, logs);
    return logs;
  } catch (error) {
    if (isSilence(error) && blocks > silentMin) return { most: Math.floor(blocks / 2) };
    const fault = faultIn(error);
    if (fault === undefined || blocks === 1 || faultKind('eth_getLogs', fault) !== 'tooMuch')
      throw error;
    if (!isTooLong(fault)) node.span.refused(blocks, spanIn(fault, blocks));
    return { most: isTooLong(fault) ? Math.floor(blocks / 2) : Number.POSITIVE_INFINITY };
  }
}

/** The logs of a part from a backend that has its last block. */
async function logsOnce(node: Node, { call, range }: Asked, how: How): Promise<unknown[]> {
  if (isBuried(node, range)) return listOf((await node.together([call], how))?.[0]);
  const question = { call, block: () => range.to, isEnough: () => false };
  return listOf(await witnessed(node, question, how));
}

/** Only what a backend has shown buries a block. Somebody may claim any block. */
function isBuried({ heads }: Node, { to }: LogRange): boolean {
  return to + lagMax <= Number(heads.shown());
}

function listOf(logs: unknown): unknown[] {
  if (Array.isArray(logs)) return logs;
  throw new BaseError('The node gives no list of logs.');
}

function withRange({ method, params: [filter] }: Rpc, { from, to }: LogRange): Rpc {
  const range = { fromBlock: numberToHex(from), toBlock: numberToHex(to) };
  return { method, params: [{ ...Object(filter), ...range }] };
}

/** A node may think for too long about many blocks. With fewer of them it is away. */
const silentMin = 1_000;

function isSilence(error: unknown): boolean {
  return error instanceof BaseError && error.walk((one) => one instanceof TimeoutError) !== null;
}

function faultIn(error: unknown): { code: number; message: string } | undefined {
  if (!(error instanceof BaseError)) return undefined;
  const found = error.walk((one) => one instanceof RpcRequestError);
  if (!(found instanceof RpcRequestError)) return undefined;
  return { code: found.code, message: found.details };
}
