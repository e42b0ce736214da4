import type { Progress, Status } from '../../src/orders/progress/status';
import type { Stop } from '../order/activities';
import type { WriteState } from './machine/writeState';

/** The view of an order while it waits, and the name of its timer. */
export type View = Pick<Progress, 'waitingFor' | 'target' | 'paidIn' | 'evidence' | 'approvals'> & {
  status: Status;
  summary: string;
};

type Seen = {
  /** The write in words, and its name. */
  doing: string;
  target: string;
  state: WriteState;
  trouble: Stop | undefined;
  /** Nothing is sent until somebody resumes the order. */
  isPaused: boolean;
};

/**
 * The view of a write, in each state that its order waits in. Undefined while the view stays as it
 * was: the order waits for nothing but an answer.
 */
export function viewOf(seen: Seen): View | undefined {
  const { trouble, state } = seen;
  const { stage, evidence = [], paidIn, why = '' } = state;
  if (seen.isPaused && stage === 'ready') return paused(seen);
  if (trouble !== undefined && !isPassing(trouble)) return viewOfStop(trouble, 'Preparing');
  const named = { target: seen.target, evidence: [...evidence] };
  const { doing } = seen;
  if (stage === 'unknown') {
    const waitingFor = `someone to say what became of the ${doing}. ${why}`;
    const summary = `unknown: what became of the ${doing}?`;
    return { status: 'Unknown', waitingFor, ...named, summary };
  }
  if (stage === 'disputed') {
    const paid = paidIn === undefined ? {} : { paidIn };
    const summary = 'until it is fixed';
    return { status: 'NeedsOperator', waitingFor: why, ...named, ...paid, summary };
  }
  const view = stage === 'doubt' ? { ...doubted(seen), ...named } : usual(seen);
  if (trouble === undefined) return view;
  return { ...view, ...viewOfStop(trouble, view?.status ?? 'Preparing') };
}

/** True for a fault that passes on its own, and is retried soon. */
export function isPassing({ type, facts }: Stop): boolean {
  return type === 'Again' && facts.approval === undefined;
}

/** The view of what blocks an order. A fault that passes leaves the order's status as it is. */
export function viewOfStop(stop: Stop, status: Status): View {
  const { message, facts } = stop;
  if (facts.approval !== undefined) {
    const waitingFor = `people to approve it. ${message}`;
    const approvals = [facts.approval];
    return { status: 'NeedsApproval', waitingFor, approvals, summary: 'until it is approved' };
  }
  if (!isPassing(stop)) {
    return { status: 'NeedsOperator', waitingFor: message, summary: 'until it is fixed' };
  }
  const waitingFor = `${message.replace(/\.$/, '')}. It is retried automatically.`;
  return { status, waitingFor, summary: 'until it is tried again' };
}

function usual({ doing, state }: Seen): View | undefined {
  const { stage, why = 'accepted', transactionId = '', record, final, inFront } = state;
  if (stage === 'sending') {
    const waitingFor = `the service to accept the ${doing}`;
    return { status: 'Preparing', waitingFor, summary: '' };
  }
  if (stage !== 'accepted') return undefined;
  if (record !== undefined) {
    const summary = `${doing}: until the chain shows it`;
    return state.why === undefined
      ? undefined
      : { status: 'Settling', waitingFor: `${doing}: ${why}`, summary };
  }
  const behind = inFront === undefined ? '' : `. It waits behind ${inFront}`;
  const waitingFor = `${doing} to settle (${why}), transaction ${transactionId}${behind}`;
  const summary = final === undefined ? `${doing}: settling` : `${doing}: until its end is proven`;
  return { status: 'Settling', waitingFor, summary };
}

function doubted({ doing, state: { why } }: Seen): View {
  return {
    status: 'Preparing',
    waitingFor: `a trace of the ${doing}, which may have been accepted: ${why}`,
    summary: `look again for the ${doing}`,
  };
}

function paused({ doing }: Seen): View {
  return {
    status: 'Paused',
    waitingFor: `somebody to resume it, before the ${doing}`,
    summary: '',
  };
}
