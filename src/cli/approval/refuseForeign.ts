import type { ApprovalStatement } from '../../authority/statement';
import { InputError } from '../exit';

/** The order that a person decides on, and its place, as far as the environment sets it. */
export type Decided = {
  order: string;
  namespace: string;
  blockchain: string | undefined;
  entity: string | undefined;
};

/** The setting that names a part of the place. */
const settings = {
  order: undefined,
  namespace: 'TEMPORAL_NAMESPACE',
  blockchain: 'CUSTODY_BLOCKCHAIN',
  entity: 'STEADFAST_ENTITY_ID',
} as const;

/**
 * Refuses a statement of another order than the one that was asked for, or of another place. An
 * order shows the statement that Temporal has, and a signature counts for the order that it names.
 */
export function refuseForeign(statement: ApprovalStatement, wanted: Decided): void {
  for (const field of ['order', 'namespace', 'blockchain', 'entity'] as const) {
    const [own, asked] = [statement[field], wanted[field]];
    if (!asked || own === asked) continue;
    const setting = settings[field];
    const way =
      setting === undefined
        ? 'Do not sign it. If you mean that order, give its id.'
        : `Do not sign it, or set ${setting} if it is wrong.`;
    throw new InputError(`id: the statement is for the ${field} ${own}, not for ${asked}. ${way}`);
  }
}
