import { isEnd, statuses } from '../../orders/progress/status';

/**
 * The word for how an order stands: its own last status. An order that somebody has ended from
 * outside keeps its last status for ever. Temporal's word is told of such an order.
 */
export function standingIn(status: string | undefined, execution: string): string {
  const isOwnEnd = statuses.some((one) => one === status && isEnd(one));
  const isEnded = execution !== 'RUNNING' && !isOwnEnd;
  return status === undefined || isEnded ? execution : status;
}
