import { condition, workflowInfo } from '@temporalio/workflow';
import type { AddedPart } from '../../activities/payout/addPart';
import type { PayoutPart, PayoutSeal } from '../../src/orders/payout';
import { counted, partLinesMax, sealAgain, sumOfSums } from '../../src/orders/payout/tally';
import { longReads } from '../order/custody';
import { finished } from '../order/show';
import { type Asking, answered, patiently, refusal } from './asking';
import { bookOf, type LivePayout, partsOf, termsOf } from './book';
import type { Part } from './records';
import { tellHandedOver } from './tell';

/** What was taken, for whoever has handed it over. */
export type Taken = Pick<AddedPart, 'part' | 'lines' | 'totals'>;

/**
 * Takes a part that somebody hands over. With other lines than before it takes the place of that
 * one, until the seal. One part is taken at a time, so that the last one that was told stays.
 */
export async function takePart(live: LivePayout, given: PayoutPart): Promise<Taken> {
  const { taking } = bookOf(live);
  const { part } = given;
  while (taking.includes(part)) await condition(() => !taking.includes(part));
  taking.push(part);
  try {
    await opened(live);
    return await take(live, given, answered);
  } finally {
    taking.splice(taking.indexOf(part), 1);
  }
}

/** Checks what somebody says are all parts. */
export async function sealParts(live: LivePayout, request: PayoutSeal): Promise<Warnings> {
  await opened(live);
  return seal(live, request, answered);
}

/** Takes the lines that are in the order itself, and seals them. A refusal ends the order. */
export async function takeOwnLines(live: LivePayout, lines: PayoutPart['lines']): Promise<void> {
  const parts = Math.ceil(lines.length / partLinesMax);
  const totals: Record<string, string>[] = [];
  for (let part = 1; part <= parts; part++) {
    const own = lines.slice((part - 1) * partLinesMax, part * partLinesMax);
    totals.push((await take(live, { part, lines: own }, patiently(live))).totals);
  }
  await seal(live, { parts, totals: sumOfSums(totals) }, patiently(live));
}

type Warnings = { warnings: string[] };

async function take(live: LivePayout, { part, lines }: PayoutPart, asking: Asking): Promise<Taken> {
  const book = bookOf(live);
  const known = book.parts[part]?.hash;
  if (book.sealed && known === undefined) {
    throw refusal(`part: ${part} comes too late: the payout is sealed. Use another payoutId.`);
  }
  const { workflowId } = workflowInfo();
  const terms = termsOf(live, workflowId);
  const before = { isSealed: book.sealed, ...(known === undefined ? {} : { known }) };
  const handing = { terms, part, lines, ...before };
  const added = await asking(() => longReads(`take part ${part}`).addPart(handing));
  if (known !== added.hash) {
    book.parts[part] = added;
    tellHandedOver(live);
  } else if (book.parts[part]?.mustSee) live.woken = true;
  return { part: added.part, lines: added.lines, totals: added.totals };
}

/** Checks all parts together, once: from then on they are paid. */
async function seal(live: LivePayout, request: PayoutSeal, asking: Asking): Promise<Warnings> {
  const book = bookOf(live);
  for (;;) {
    await condition(() => book.taking.length === 0);
    const parts = partsOf(book);
    refuseIncomplete(request, parts);
    if (book.sealed) return { warnings: book.warnings };
    const { warnings } = await check(live, parts, asking);
    if (live.carried.cancelAsked) throw refusal('The payout is cancelled, so it cannot be sealed.');
    const now = partsOf(book);
    const isSame = now.length === parts.length && now.every((part, at) => part === parts[at]);
    // While they were checked, another one may have come.
    if (book.taking.length > 0 || !isSame) continue;
    book.sealed = true;
    book.warnings = warnings;
    const count = parts.reduce((sum, { lines }) => sum + lines, 0);
    finished(live, `sealed: ${counted(parts.length, 'part')}, ${counted(count, 'line')}`);
    live.woken = true;
    return { warnings };
  }
}

function check(live: LivePayout, parts: readonly Part[], asking: Asking): Promise<Warnings> {
  const { order, earlier } = live.opened;
  const { workflowId } = workflowInfo();
  return asking(() =>
    longReads(`check ${counted(parts.length, 'part')} together`).checkPayout({
      terms: termsOf(live, workflowId),
      parts: parts.map(({ part, shardId, hash }) => ({ part, shardId, hash })),
      maxTotal: order.maxTotal,
      strict: order.strict ?? false,
      isFirst: earlier.others === 'clean',
    }),
  );
}

function refuseIncomplete(
  { parts: count, totals }: PayoutSeal,
  parts: readonly { part: number; totals: Record<string, string> }[],
): void {
  const missing = Array.from({ length: count }, (_, at) => at + 1).filter(
    (number) => !parts.some(({ part }) => part === number),
  );
  if (missing.length > 0) {
    const told = missing.slice(0, 10).join(', ');
    throw refusal(`parts: ${told} of ${count} are missing. Hand them over. ${sealAgain}`);
  }
  if (parts.length !== count) {
    throw refusal(
      `parts: is ${count}, and ${parts.length} were handed over. Seal them all, or cancel this ` +
        'payout and hand over what is to be paid under another payoutId.',
    );
  }
  const come = sumOfSums(parts.map((part) => part.totals));
  const given = sumOfSums([totals]);
  const faults = [...new Set([...Object.keys(come), ...Object.keys(given)])]
    .filter((token) => come[token] !== given[token])
    .map(
      (token) =>
        `totals.${token}: is ${given[token] ?? 0}, and the lines come to ${come[token] ?? 0}.`,
    );
  if (faults.length > 0) throw refusal(faults.join(' '));
}

/** Waits until it is known what order this is. */
async function opened(live: LivePayout): Promise<void> {
  await condition(() => live.carried.opened !== undefined);
  const { plan, completed, order } = live.opened;
  if (plan !== undefined || completed !== undefined) {
    throw refusal('This payout is done, so that it takes no more lines.');
  }
  if (order.lines !== undefined) {
    throw refusal('The lines of this payout are in its order, so that it takes no more.');
  }
}
