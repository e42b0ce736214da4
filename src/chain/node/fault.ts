/** The error of a JSON-RPC answer. */
export type RpcFault = { code: number; message: string; data?: unknown };

/**
 * The kind of a fault. busy: too many calls for now. behind: this backend has not seen the block
 * yet. tooMuch: the logs of too many blocks, or too many logs. pruned: the node no longer has it.
 */
export type FaultKind = 'busy' | 'behind' | 'tooMuch' | 'pruned' | 'other';

const busyCodes = [429, -32_007, -32_011, -32_029];
const busyWords =
  /request limit|rate.?limit|too many requests|requests? (per|a) second|limit exceeded|throughput|capacity/i;
/** Words for one answer that would be too long. */
const longWords = /results|response size|too many logs|logs matched|larger than/i;
/** The codes by which nodes refuse a range of blocks, whatever their words. */
const spanCodes = [-32_005, -32_600, -32_602];
const rangeWords = /range|too (many|large|wide)|exceed|limit|block span|blocks? (distance|diff)/i;
const behindWords =
  /header not found|unknown block|requested data not available|could not find block|block not found|after last accepted|beyond current head/i;
const prunedWords =
  /prun|missing trie node|\bstate\b|\barchive\b|history|BlockOutOfRange|older than|before earliest/i;

/** Methods that run contracts. A contract chooses the words of its own refusal. */
const ofContracts = ['eth_call', 'eth_estimateGas'];
const revertWords = /execution reverted|^revert/i;

/** Finds out what a node means, by its code and its words. */
export function faultKind(method: string, { code, message }: RpcFault): FaultKind {
  if (ofContracts.includes(method) && (code === 3 || revertWords.test(message))) return 'other';
  if (busyCodes.includes(code)) return 'busy';
  const isOfLogs = method === 'eth_getLogs';
  if (isOfLogs && (longWords.test(message) || code === -32_012 || code === -32_614))
    return 'tooMuch';
  if (isOfLogs && /range|blocks/i.test(message) && rangeWords.test(message)) {
    return isAhead(message) ? 'behind' : 'tooMuch';
  }
  if (busyWords.test(message) && !/gas/i.test(message)) return 'busy';
  if (code === -32_014 || behindWords.test(message) || isAhead(message)) return 'behind';
  if (prunedWords.test(message)) return 'pruned';
  return isOfLogs && spanCodes.includes(code) ? 'tooMuch' : 'other';
}

/** True for the logs of some blocks that are too many for one answer, whatever their number. */
export function isTooLong({ message }: RpcFault): boolean {
  return longWords.test(message);
}

/** A height below the block that was asked for. The same words may also mean an old block. */
function isAhead(message: string): boolean {
  const [, height, asked] = /height is (\d+) but requested was (\d+)/.exec(message) ?? [];
  return (
    (height !== undefined && Number(asked) > Number(height)) || /beyond current head/i.test(message)
  );
}

/** The number of blocks that a refusal names. It is clearly smaller than the number asked for. */
export function spanIn({ message }: RpcFault, asked: number): number | undefined {
  const found = [...message.matchAll(/(?<![0-9a-zA-Z])(\d{1,3}(?:[,_]\d{3})+|\d+)(k?)\b/gi)];
  const numbers = found.map(
    ([, digits = '', kilo]) => Number(digits.replace(/[,_]/g, '')) * (kilo ? 1_000 : 1),
  );
  const fitting = numbers.filter((one) => one > 1 && one <= asked * clearly);
  return fitting.length === 0 ? undefined : Math.max(...fitting);
}

const clearly = 0.9;
