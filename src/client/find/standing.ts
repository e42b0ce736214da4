import { isEnd, statuses } from '../../orders/progress/status';

/**
 * The word for how an order stands: its own last status. Temporal's word is the end of an order
 * that was ended from outside, whose own status stays what it was.
 */
export function standingIn(status: string | undefined, execution: string): string {
  const isOwnEnd = statuses.some((one) => one === status && isEnd(one));
  const isEnded = execution !== 'RUNNING' && !isOwnEnd;
  return status === undefined || isEnded ? execution : status;
}
