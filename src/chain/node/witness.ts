import type { Rpc } from './asking';
import { blockNumberCall, type How, type Node, patienceEndMs, UnansweredError } from './calling';

/** A question whose answer says nothing about blocks that its backend has not seen. */
type Question = {
  call: Rpc;
  /** The block that the backend has to have, as far as is known by now. */
  block: () => number;
  /** True for an answer that needs no witness. */
  isEnough: (answer: unknown) => boolean;
};

/** Another backend may answer at once. */
const [behindFirstMs, behindMaxMs] = [10, 1_000];
/** So many answers count, until the node has shown so many heads that agree. */
const [answersFirst, headsWanted] = [4, 32];
/** So many count where a request may reach several backends. With time, each has new blocks. */
const [answersOfMany, apartMs] = [5, 250];
/** A node that answers only a part of a request so often is asked one call at a time. */
const partsMax = 3;
const aroundCalls = 3;

/**
 * The answer of a backend that has the block. All heads around the answer have to show that.
 * Backends of one node may differ, also within one request. So several answers count until the
 * heads of the node agree, and always at a slow node, which takes only the head before the answer.
 * The longest of them is the newest.
 */
export async function witnessed(node: Node, question: Question, how: How): Promise<unknown> {
  const { clock, heads, pace } = node;
  const { call, isEnough } = question;
  const untilMs = patienceEndMs(clock, how);
  const answers: unknown[] = [];
  let [parts, isOfMany] = [0, false];
  for (let waitMs = behindFirstMs; ; waitMs = Math.min(behindMaxMs, waitMs * 1.5)) {
    const isSingle = parts >= partsMax;
    const block = question.block();
    const after = pace.together() < aroundCalls ? [] : [blockNumberCall];
    // A head on one side only shows nothing of several backends.
    isOfMany ||= isSingle || after.length === 0;
    const unit = [blockNumberCall, call, ...after];
    const told = await (isSingle ? singly(node, call, how) : inOneRequest(node, unit, how));
    if (told === undefined) parts += 1;
    else if (isEnough(told.answer)) return told.answer;
    else if (told.head >= block) answers.push(told.answer);
    isOfMany ||= heads.areMixed();
    const wanted = heads.seen() >= headsWanted ? 1 : answersFirst;
    if (answers.length >= (isOfMany ? answersOfMany : wanted)) return longest(answers);
    if (clock.now() > untilMs) throw new UnansweredError(late(block, told?.head));
    await clock.sleep(isOfMany ? Math.max(apartMs, waitMs) : waitMs);
  }
}

function late(block: number, head: number | undefined): string {
  const has = head === undefined ? 'answers only a part of each request' : `has block ${head}`;
  return `its backends differ: it should have block ${block}, and the one that answers ${has}`;
}

type Told = { answer: unknown; head: number };

/** Undefined where the node has answered only a part. The first head is older than the answer. */
async function inOneRequest(node: Node, unit: readonly Rpc[], how: How): Promise<Told | undefined> {
  const results = await node.together(unit, how);
  if (results === undefined) return undefined;
  const shown = results.filter((_, at) => unit[at] === blockNumberCall).map(Number);
  node.heads.together(shown);
  return { answer: results[1], head: Math.min(...shown) };
}

/** One call at a time. Each may come from another backend. */
async function singly(node: Node, call: Rpc, how: How): Promise<Told> {
  const ask = async (one: Rpc): Promise<unknown> => (await node.together([one], how))?.[0];
  const before = Number(await ask(blockNumberCall));
  const answer = await ask(call);
  return { answer, head: Math.min(before, Number(await ask(blockNumberCall))) };
}

/** A list of a backend that lags lacks the newest of it. */
function longest(answers: readonly unknown[]): unknown {
  const length = (one: unknown): number => (Array.isArray(one) ? one.length : 0);
  return answers.reduce((best, one) => (length(one) > length(best) ? one : best));
}
