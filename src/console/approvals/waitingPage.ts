import { effectInWords } from '../../client/asking/askings';
import type { ApprovalWanted } from '../../custody/objects/approval';
import { readApproval } from '../../writer/signing/statement';
import { frame, moment, table, type Viewer } from '../page/frame';
import { html, type Part } from '../page/html';
import type { ConsoleParts } from '../parts';

/** Orders that are asked at the same time. */
const shownMax = 50;

/** An order that waits, and what it asks. */
type Waiting = { workflowId: string; since: string; approvals: readonly ApprovalWanted[] };

/** The page of all that waits for people, what waits for its reader first. */
export async function waitingPage(
  { steadfast }: Pick<ConsoleParts, 'steadfast'>,
  viewer: Viewer,
): Promise<string> {
  const orders = await steadfast.list({ status: 'NeedsApproval', limit: shownMax });
  const found = await Promise.all(
    orders.map(async ({ workflowId }): Promise<Waiting> => {
      const { progress } = await steadfast.status(workflowId);
      const { since = '', approvals = [] } = progress ?? {};
      return { workflowId, since, approvals };
    }),
  );
  const rows = found.flatMap((order) => order.approvals.map((wanted) => ({ ...order, wanted })));
  const isMine = ({ wanted }: { wanted: ApprovalWanted }): boolean =>
    wanted.people.includes(viewer.person) && !wanted.given.includes(viewer.person);
  const mine = rows.filter(isMine).map(cellsOf);
  const others = rows.filter((row) => !isMine(row)).map(cellsOf);
  const columns = ['Order', 'What is sent', 'Approved', 'Waits since'];
  return frame(
    { title: 'Approvals', viewer, path: '/approvals' },
    html`<h2>For you</h2>`,
    mine.length === 0 ? html`<p>Nothing waits for you.</p>` : table('For you', columns, mine),
    others.length > 0 && [html`<h2>For others</h2>`, table('For others', columns, others)],
  );
}

function cellsOf({ workflowId, since, wanted }: Waiting & { wanted: ApprovalWanted }): Part[] {
  const { effects } = readApproval(wanted.statement).write;
  const sent = effects.map((effect) => html`<div>${effectInWords(effect)}</div>`);
  const link = html`<a href="/approvals/${encodeURIComponent(workflowId)}">${workflowId}</a>`;
  const { given, need } = wanted;
  return [link, sent, `${given.length} of ${need}`, since === '' ? '' : moment(since)];
}
