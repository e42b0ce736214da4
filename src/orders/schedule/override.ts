/**
 * The workflow that keeps the override of a period, under the id of that period's order. It becomes
 * the order itself once the period starts.
 */
export const overrideType = 'overridePeriod';

/** The memo's entry of an override, and of the order that it has become. */
export const overrideKey = 'steadfastOverride';

/** An override in words, for lists. */
export type OverrideNote = {
  period: string;
  /** The schedule's own time for it, ISO 8601. */
  at: string;
  /** The order in one line. Undefined if the period is left out. */
  order?: string | undefined;
  /** The money of the order. Undefined where only the order itself will tell. */
  sum?: Record<string, string> | undefined;
};

/** Input of the workflow, and of each change: the order of the period, or none. */
export type Override = {
  /** The name of the workflow that carries out its order. */
  kind: string;
  order?: Record<string, unknown> | undefined;
  /** The memo of the override, and of the order once it is started. */
  memo: Record<string, unknown> & { [overrideKey]: OverrideNote };
};

/** The result of starting an override. */
export type Begun = 'order' | 'nothing';
