import { type Asking, readAskings } from '../../client/asking/askings';
import type { ListedOrder } from '../../client/find/orderList';
import { BadOrderError } from '../../orders/input/read';
import { type NameOf, namesOf } from '../../writer/file/namesOf';
import { frame, moment, table, type Viewer } from '../page/frame';
import { html, type Part } from '../page/html';
import type { ConsoleParts } from '../parts';
import { notAsked } from './decide';
import { effectShown } from './effectShown';

/** Orders that a page asks at the same time, and orders that are listed at all. */
const [shownMax, listedMax] = [50, 1_000];

/** An order that waits: one of its questions, or the reason why these cannot be read. */
type Waiting = { order: ListedOrder; asking?: Asking; unread?: string };

/** The page of all that waits for people, and the questions that wait for its reader. */
export async function waitingPage(
  parts: ConsoleParts,
  { viewer, page }: { viewer: Viewer; page: number },
): Promise<{ text: string; mine: { order: ListedOrder; asking: Asking }[] }> {
  const { steadfast, isOwn } = parts;
  const wanted = { status: 'NeedsApproval', isRunning: true, limit: listedMax } as const;
  const listed = await steadfast.list(wanted);
  const own = listed.filter(({ workflowId }) => isOwn(workflowId));
  const end = page * shownMax;
  const here = own.slice(end - shownMax, end);
  const rows = (await Promise.all(here.map((order) => waiting(parts, order)))).flat();
  const policy = parts.policy();
  const isMine = ({ asking }: Waiting): boolean => {
    if (asking === undefined || asking.wanted.given.includes(viewer.person)) return false;
    return notAsked(policy, viewer.person, asking.wanted) === undefined;
  };
  const mine = rows.filter(isMine);
  const nameOf = namesOf(parts.book(), policy);
  const others = rows.filter((row) => !isMine(row)).map((row) => cellsOf(row, nameOf));
  const columns = ['Order', 'What is sent', 'Approved', 'Begun'];
  const cells = mine.map((row) => cellsOf(row, nameOf));
  const least = listed.length === listedMax ? 'at least ' : '';
  const text = frame(
    { title: 'Approvals', viewer, path: '/approvals' },
    html`<h2>For you</h2>`,
    cells.length === 0 ? html`<p>Nothing waits for you.</p>` : table('For you', columns, cells),
    others.length > 0 && [html`<h2>For others</h2>`, table('For others', columns, others)],
    page > 1 && html`<p><a href="/approvals?page=${page - 1}">Newer ones</a></p>`,
    own.length > end &&
      html`<p>And ${least}${own.length - end} more orders wait, which began earlier.
<a href="/approvals?page=${page + 1}">Older ones</a></p>`,
  );
  return { text, mine: mine.flatMap(({ order, asking }) => (asking ? { order, asking } : [])) };
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

function cellsOf(
  { order: { workflowId, startedAt }, asking, unread }: Waiting,
  nameOf: NameOf,
): Part[] {
  const link = html`<a href="/approvals/${encodeURIComponent(workflowId)}">${workflowId}</a>`;
  if (asking === undefined) {
    return [link, html`<span class="bad">${unread}</span>`, '', moment(startedAt)];
  }
  const { given, need } = asking.wanted;
  const { effects } = asking.statement.write;
  const sent = effects.map((effect) => html`<div>${effectShown(effect, nameOf)}</div>`);
  return [link, sent, `${given.length} of ${need}`, moment(startedAt)];
}
