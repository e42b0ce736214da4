/** One attempt at a line: the line, and how often it had been retried before. */
export type LineTarget = { lineId: string; generation: number };

/** The name of an attempt, outside: "line/<lineId>#<generation>". */
export function lineTarget({ lineId, generation }: LineTarget): string {
  return `line/${lineId}#${generation}`;
}

/** Reads the name of an attempt. Undefined if it is none. */
export function readLineTarget(target: unknown): LineTarget | undefined {
  const [, lineId, generation] = /^line\/([^#]+)#(\d{1,6})$/.exec(String(target)) ?? [];
  if (lineId === undefined) return undefined;
  return { lineId, generation: Number(generation) };
}

/**
 * Tells why an attempt at a line is not retried. Undefined if it has failed, or if it was retried
 * before: the same request again is the same retry.
 */
export function retryFault(
  target: LineTarget,
  line: { outcome: string; generation: number } | undefined,
): string | undefined {
  const name = lineTarget(target);
  if (line === undefined) return `targets: ${name} is of no line of this payout.`;
  if (line.generation > target.generation) return undefined;
  if (line.generation === target.generation && line.outcome === 'failed') return undefined;
  const now = lineTarget({ ...target, generation: line.generation });
  return `targets: ${name} has not failed: ${now} is ${line.outcome}. Retry only failed lines.`;
}
