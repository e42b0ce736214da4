import { BadOrderError } from '../../orders/input/read';
import type { ApprovalStatement } from '../../writer/signing/statement';

/** The order that a person decides on, and its place, as far as the environment sets it. */
export type DecidedOrder = {
  order: string;
  namespace: string;
  blockchain: string | undefined;
  entity: string | undefined;
};

/** The settings that name the place. */
const settings = {
  namespace: 'TEMPORAL_NAMESPACE',
  blockchain: 'CUSTODY_BLOCKCHAIN',
  entity: 'STEADFAST_ENTITY_ID',
} as const;

/**
 * Refuses a statement of another order than the one that was asked for, or of another place. An
 * order shows the statement that Temporal has, and a signature counts for the order that it names.
 */
export function refuseForeign(statement: ApprovalStatement, wanted: DecidedOrder): void {
  const { order } = statement;
  if (order !== wanted.order) {
    const way = 'Do not sign it. If you mean that order, give its id.';
    throw new BadOrderError(
      `id: the statement is for the order ${order}, not for ${wanted.order}. ${way}`,
    );
  }
  for (const field of ['namespace', 'blockchain', 'entity'] as const) {
    const [own, asked] = [statement[field], wanted[field]];
    if (!asked || own === asked) continue;
    const way = `Do not sign it, or set ${settings[field]} if it is wrong.`;
    throw new BadOrderError(
      `id: the statement is for the ${field} ${own}, not for ${asked}. ${way}`,
    );
  }
}
