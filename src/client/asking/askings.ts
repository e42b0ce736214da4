import type { ApprovalWanted } from '../../custody/objects/approval';
import { type ApprovalStatement, readApproval } from '../../writer/signing/statement';
import type { OrderStatus } from '../orderStatus';
import { type DecidedOrder, refuseForeign } from './refuseForeign';

/** An order's question to people: the statement as text and as read, and who has decided. */
export type Asking = { wanted: ApprovalWanted; statement: ApprovalStatement };

/** All questions of an order to people, how it stands, and the reason where nobody knows them. */
type Askings = { all: Asking[]; stands: string; unread?: string };

/**
 * Reads all that an order asks people. An order that has ended asks nothing, whatever it told last.
 * Throws a BadOrderError where it asks about another order or another place.
 */
export function askingsIn(
  { workflowId: order, execution, progress }: OrderStatus,
  place: Omit<DecidedOrder, 'order'>,
): Askings {
  if (execution !== 'RUNNING') return { all: [], stands: `has ended as ${execution}` };
  if (progress === undefined) return { all: [], stands: 'tells nothing now', unread };
  const all = (progress.approvals ?? []).map((wanted) => {
    const statement = readApproval(wanted.statement);
    refuseForeign(statement, { ...place, order });
    return { wanted, statement };
  });
  return { all, stands: `stands as ${progress.status}` };
}

const unread = 'No worker tells now what it asks. Ask again.';

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
