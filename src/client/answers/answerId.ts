/** Pure: runs in workflows. */

/** The id of a workflow that tells ends of an order. Without an own part, how all of them begin. */
export function answerIdOf(orderId: string, own: string): string {
  return `answer:${orderId}:${own}`;
}
