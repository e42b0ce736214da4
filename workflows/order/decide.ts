import { defineUpdate, setHandler } from '@temporalio/workflow';
import { allDecisionsMax } from '../../src/custody/objects/approval';
import type { Decision, Signed } from '../../src/orders/input/signed';
import type { ApprovalStatement } from '../../src/writer/signing/statement';
import type { LiveOrder } from './liveOrder';
import { noteRequest } from './show';
import { lookNow } from './wait';

const approveUpdate = defineUpdate<string, [Signed]>('approve');
const rejectUpdate = defineUpdate<string, [Signed & { reason?: string }]>('reject');

/** Signatures that an order keeps for one write. Each attempt at it carries all of them. */
const decisionsMax = 50;
const textMax = 100_000;
const signatureMax = 4_000;
const targetMax = 1_000;
const moment = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?Z$/;

/** Takes signatures of people on what an order asks for, and has it tried again at once. */
export function answerDecisions(live: LiveOrder): void {
  const answers: Record<Decision['purpose'], string> = {
    approval: 'The approval was handed in. It counts once the worker that signs has verified it.',
    rejection: 'The rejection was handed in. It counts once the worker that signs has verified it.',
  };
  const take = (purpose: Decision['purpose'], said: string, signed: Signed): string => {
    const { signature } = signed;
    const others = (live.carried.decisions ?? []).filter((one) => one.signature !== signature);
    live.carried.decisions = [...others, { purpose, ...namesIn(signed), signature }];
    noteRequest(live, said);
    lookNow(live);
    return answers[purpose];
  };
  setHandler(approveUpdate, (signed) => take('approval', 'an approval was handed in', signed), {
    description:
      'Approve what the order asks for: {"statement": "…", "signature": "-----BEGIN SSH …"}. ' +
      'The worker that signs verifies it.',
    validator: (given) => refuseUnfit(live, given),
  });
  const rejected = ({ reason = 'no reason given', ...signed }: Signed & { reason?: string }) =>
    take('rejection', `a rejection was handed in: ${reason.slice(0, 1_000)}`, signed);
  setHandler(rejectUpdate, rejected, {
    description: 'Reject it, in the same form, with a "reason". One rejection ends the order.',
    validator: (given) => refuseUnfit(live, given),
  });
}

function refuseUnfit({ order, progress, carried }: LiveOrder, given: unknown): void {
  const { request }: { request?: unknown } = typeof order === 'object' ? (order ?? {}) : {};
  const { statement, signature }: Partial<Record<keyof Signed, unknown>> =
    typeof given === 'object' ? (given ?? {}) : {};
  // A signed order takes them before it asks too: after a reset they come before all else.
  if (progress.approvals === undefined && request === undefined) {
    throw new Error('This order asks for no approval now.');
  }
  const isText = (text: unknown, max: number): boolean =>
    typeof text === 'string' && text.length <= max;
  if (!isText(statement, textMax) || !isText(signature, signatureMax)) {
    throw new Error('statement, signature: are missing. Give the text that was signed, and both.');
  }
  const { target } = namesIn({ statement: String(statement) });
  const { decisions = [] } = carried;
  const alike = decisions.filter((one) => one.target === target);
  if (alike.length >= decisionsMax || decisions.length >= allDecisionsMax) {
    const count = `${alike.length} signatures for ${target}, and ${decisions.length} in all`;
    throw new Error(`This order has ${count}. Cancel it, and start another one.`);
  }
}

/** The write and the last moment in a statement. The process that signs makes the rest again. */
function namesIn({ statement }: Pick<Signed, 'statement'>): Pick<Decision, 'target' | 'expires'> {
  try {
    const { expires, write }: ApprovalStatement = JSON.parse(statement);
    const { target } = write;
    const isRead = moment.test(expires) && typeof target === 'string' && target.length <= targetMax;
    if (isRead) return { expires, target };
  } catch {
    // It is not JSON, or names no write.
  }
  throw new Error('statement: is not what this order asks people to sign. Read it with its query.');
}
