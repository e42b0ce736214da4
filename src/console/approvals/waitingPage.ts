import { type Asking, askingsIn } from '../../client/asking/askings';
import type { ListedOrder } from '../../client/find/orderList';
import { type NameOf, namesOf } from '../../writer/file/namesOf';
import { frame, moment, table, type Viewer } from '../page/frame';
import { html, type PagePart } from '../page/html';
import type { ConsoleParts } from '../parts';
import { failureWords } from '../watch/failureWords';
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
  const { steadfast, isOwn, keyScope: scope } = parts;
  const wanted = { status: 'NeedsApproval', isRunning: true, limit: listedMax, scope } as const;
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
  const nameOf = namesOf(parts.book(), policy);
  const unread = rows.filter(({ asking }) => asking === undefined);
  const mine = rows.filter(isMine);
  const others = rows.filter((row) => row.asking !== undefined && !isMine(row));
  const listOf = (caption: string, some: readonly Waiting[]): PagePart =>
    some.length > 0 && [
      html`<h2>${caption}</h2>`,
      table(
        caption,
        ['Order', 'What is sent', 'Approved', 'Begun'],
        some.map((row) => cellsOf(row, nameOf)),
      ),
    ];
  const least = listed.length === listedMax ? 'at least ' : '';
  const isAll = unread.length === 0 && own.length <= shownMax && listed.length < listedMax;
  const where = isAll ? '' : ' on this page, as far as it can be read,';
  const text = frame(
    { title: 'Approvals', viewer, path: '/approvals' },
    mine.length === 0 && html`<h2>For you</h2><p>Nothing${where} waits for you.</p>`,
    listOf('For you', mine),
    listOf('Not known', unread),
    listOf('For others', others),
    page > 1 && html`<p><a href="/approvals?page=${page - 1}">Newer ones</a></p>`,
    own.length > end &&
      html`<p>And ${least}${own.length - end} more orders wait, which began earlier.
<a href="/approvals?page=${page + 1}">Older ones</a></p>`,
  );
  return { text, mine: mine.flatMap(({ order, asking }) => (asking ? { order, asking } : [])) };
}

/** An order that nobody can read holds up no other one. Anybody in Temporal can make one. */
async function waiting(parts: ConsoleParts, order: ListedOrder): Promise<Waiting[]> {
  try {
    const { all, unread } = askingsIn(await parts.steadfast.status(order.workflowId), parts);
    // It may wait for its reader. Without a word, the page would say that nothing does.
    return unread === undefined ? all.map((asking) => ({ order, asking })) : [{ order, unread }];
  } catch (error) {
    return [{ order, unread: failureWords(error) }];
  }
}

function cellsOf(
  { order: { workflowId, startedAt }, asking, unread }: Waiting,
  nameOf: NameOf,
): PagePart[] {
  const link = html`<a href="/approvals/${encodeURIComponent(workflowId)}">${workflowId}</a>`;
  if (asking === undefined) {
    return [link, html`<span class="bad">${unread}</span>`, '', moment(startedAt)];
  }
  const { given, need } = asking.wanted;
  const { effects } = asking.statement.write;
  const sent = effects.map((effect) => html`<div>${effectShown(effect, nameOf)}</div>`);
  return [link, sent, `${given.length} of ${need}`, moment(startedAt)];
}
