import { type Asking, effectInWords, readAskings } from '../../client/asking/askings';
import type { ListedOrder } from '../../client/find/orderList';
import { BadOrderError } from '../../orders/input/read';
import { frame, moment, table, type Viewer } from '../page/frame';
import { html, type Part } from '../page/html';
import type { ConsoleParts } from '../parts';

/** Orders that are asked at the same time. */
const shownMax = 50;

/** An order that waits: one of its questions, or the reason why these cannot be read. */
type Waiting = { order: ListedOrder; asking?: Asking; unread?: string };

/** The page of all that waits for people, what waits for its reader first. */
export async function waitingPage(parts: ConsoleParts, viewer: Viewer): Promise<string> {
  const { steadfast, isOwn } = parts;
  const orders = await steadfast.list({ status: 'NeedsApproval', limit: shownMax });
  const own = orders.filter(({ workflowId }) => isOwn(workflowId));
  const rows = (await Promise.all(own.map((order) => waiting(parts, order)))).flat();
  const isMine = ({ asking }: Waiting): boolean => {
    const { people = [], given = [] } = asking?.wanted ?? {};
    return people.includes(viewer.person) && !given.includes(viewer.person);
  };
  const mine = rows.filter(isMine).map(cellsOf);
  const others = rows.filter((row) => !isMine(row)).map(cellsOf);
  const columns = ['Order', 'What is sent', 'Approved', 'Begun'];
  return frame(
    { title: 'Approvals', viewer, path: '/approvals' },
    html`<h2>For you</h2>`,
    mine.length === 0 ? html`<p>Nothing waits for you.</p>` : table('For you', columns, mine),
    others.length > 0 && [html`<h2>For others</h2>`, table('For others', columns, others)],
  );
}

/** An order that nobody can read holds up no other one. Anybody in Temporal can make one. */
async function waiting(parts: ConsoleParts, order: ListedOrder): Promise<Waiting[]> {
  const { steadfast, namespace, blockchain, entity } = parts;
  const place = { namespace, blockchain, entity };
  try {
    const { all, isTold } = await readAskings(steadfast, order.workflowId, place);
    // It may wait for its reader. Without a word, the page would say that nothing does.
    if (!isTold) return [{ order, unread: 'No worker tells now what it asks. Load this again.' }];
    return all.map((asking) => ({ order, asking }));
  } catch (error) {
    if (!(error instanceof BadOrderError)) throw error;
    return [{ order, unread: error.message }];
  }
}

function cellsOf({ order: { workflowId, startedAt }, asking, unread }: Waiting): Part[] {
  const link = html`<a href="/approvals/${encodeURIComponent(workflowId)}">${workflowId}</a>`;
  if (asking === undefined) {
    return [link, html`<span class="bad">${unread}</span>`, '', moment(startedAt)];
  }
  const { given, need } = asking.wanted;
  const { effects } = asking.statement.write;
  const sent = effects.map((effect) => html`<div>${effectInWords(effect)}</div>`);
  return [link, sent, `${given.length} of ${need}`, moment(startedAt)];
}
