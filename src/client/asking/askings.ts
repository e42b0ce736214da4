import type { ApprovalWanted } from '../../custody/objects/approval';
import { type ApprovalStatement, readApproval } from '../../writer/signing/statement';
import type { Steadfast } from '../steadfast';
import { type Decided, refuseForeign } from './refuseForeign';

/** An order's question to people: the statement as text and as read, and who has decided. */
export type Asking = { wanted: ApprovalWanted; statement: ApprovalStatement };

/** All questions of an order to people, how it stands, and whether a worker tells it now. */
export type Askings = { all: Asking[]; stands: string; isTold: boolean };

/**
 * Reads all that an order asks people. Throws a BadOrderError where it asks about another order or
 * another place.
 */
export async function readAskings(
  steadfast: Pick<Steadfast, 'status'>,
  id: string,
  place: Omit<Decided, 'order'>,
): Promise<Askings> {
  const { workflowId: order, progress } = await steadfast.status(id);
  const all = (progress?.approvals ?? []).map((wanted) => {
    const statement = readApproval(wanted.statement);
    refuseForeign(statement, { order, ...place });
    return { wanted, statement };
  });
  const isTold = progress !== undefined;
  return { all, isTold, stands: isTold ? `stands as ${progress.status}` : 'tells nothing now' };
}

/** One thing that is sent, in words. */
export function effectInWords(effect: Record<string, unknown>): string {
  const { kind, amount, money, to, contract, data, recipients } = effect;
  const { rule, verdict, address, check } = effect;
  if (kind === 'check')
    return `the check ${check} of the rule ${rule} finds something about ${address}`;
  if (kind === 'screening') return `the rule ${rule} says ${verdict} about ${address}`;
  if (kind === 'money') return `${amount} ${money} to ${to}`;
  if (kind === 'call') return `a call of ${contract}: ${data}`;
  return `a deployment with the addresses ${JSON.stringify(recipients)}`;
}
