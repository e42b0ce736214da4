import type { ReconcileRow } from '../../../src/books/reconcile/finding';

/** The answer of `reconcile` about all that has happened so far. */
export async function reconciled(
  { steadfast }: { steadfast(...args: string[]): Promise<{ code: unknown; told: string }> },
  ...flags: string[]
) {
  const { code, told } = await steadfast(
    ...['reconcile', '--from', '2020-01-01', '--json', '--all', ...flags],
  );
  if (!told.startsWith('{') || !told.includes('findings')) throw new Error(told);
  const answer: {
    findings: ReconcileRow[];
    counts: Record<string, number>;
    notLookedAt: string[];
  } = JSON.parse(told.slice(0, told.lastIndexOf('}') + 1));
  return { code, ...answer };
}
