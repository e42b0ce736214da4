/** The type of the workflows that pay the parts of payouts. */
export const shardType = 'payoutShard';

/** The id of the workflow that pays a part. Without a part, the beginning that all of them share. */
export function shardIdOf(payoutWorkflowId: string, part: number | ''): string {
  return `${payoutWorkflowId}:shard:${part}`;
}
