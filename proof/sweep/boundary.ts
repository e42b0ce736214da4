/** The points of a call at which an order is stopped. */
export const points = ['before', 'between', 'after'] as const;
/**
 * before: the call has not reached the other side. between: it is carried out there, and its answer
 * has not come back. after: the answer has come back, and nothing more of the order has left.
 */
export type Point = (typeof points)[number];

/** A moment in the life of an order at which a process can die: a point of its nth such call. */
export type Boundary = { call: string; nth: number; point: Point };

/** A boundary as a reader sees it, such as "service createTransfer · between". */
export function nameOf({ call, nth, point }: Boundary): string {
  return `${call}${nth === 1 ? '' : ` (${nth})`} · ${point}`;
}

/** True when both are the same moment. */
export function isSame(one: Boundary, other: Boundary): boolean {
  return one.call === other.call && one.nth === other.nth && one.point === other.point;
}
