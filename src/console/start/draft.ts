import type { Checked } from '../../checks/check';
import { workflowIdOf } from '../../orders/input/orderId';
import type { Order } from '../../orders/kinds';
import { readOrderOf } from '../../orders/kinds';
import type { ReadLine } from '../../orders/payout';
import type { Policy } from '../../writer/file/policy';
import { signedLinesOf } from '../../writer/signing/signedLines';
import { type RequestStatement, requestFor } from '../../writer/signing/statement';
import type { ConsoleParts } from '../parts';

/** The lines of a payout, for people: their sums by token, and the digest of all of them. */
type Lines = {
  all: readonly ReadLine[];
  totals: readonly { token: string; lines: number; amount: string }[];
  digest: string;
};

/** A transfer or a payout that somebody has filled in, and that nobody has requested yet. */
export type Draft = {
  /** The id of the order, without the key scope. */
  id: string;
  checked: Checked;
  /** The moment up to which its request would count. The page shows it, and a person signs it. */
  expires: Date;
} & (
  | { kind: 'transferStablecoin'; order: Order<'transferStablecoin'>; lines?: undefined }
  | { kind: 'payout'; order: Order<'payout'>; lines: Lines }
);

/** Hours for which a request counts at least: one of Friday evening is approved on Monday. */
const hoursMin = 72;
const hourMs = 3_600_000;

/** The end of a request of now. No rule gives people more hours to approve it. */
export function requestEnd({ approvals }: Policy): Date {
  const hours = Math.max(hoursMin, ...approvals.map(({ within }) => within));
  return new Date(Date.now() + hours * hourMs);
}

/** The statement that requests a draft, for the account and the namespace of the console. */
export function statementOfDraft(
  {
    entity,
    blockchain,
    namespace,
    keyScope,
  }: Pick<ConsoleParts, 'blockchain' | 'namespace' | 'keyScope'> & { entity: string },
  { id, kind, order, lines, expires }: Draft,
): RequestStatement {
  const read = readOrderOf(kind, order);
  return requestFor({
    entity,
    blockchain,
    namespace,
    workflowId: workflowIdOf(id, keyScope),
    kind,
    order: read,
    lines: lines && signedLinesOf(lines.all, kind === 'payout' ? order : {}),
    expires,
  });
}
