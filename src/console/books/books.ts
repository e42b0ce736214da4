import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { periodOfDay } from '../../orders/schedule/dailyClose';
import { namesOf } from '../../writer/file/namesOf';
import type { Guard } from '../guard';
import { frame, moment, table } from '../page/frame';
import { html, type PagePart } from '../page/html';
import { orderNamed, pageType } from '../page/orderNamed';
import { partOf, wholeOf } from '../page/part';
import type { ConsoleParts } from '../parts';
import { readSent } from '../readSent';
import { Refusal } from '../refusal';
import type { ClosedShown, ShownClose } from '../watch/readCloses';
import { closePage } from './closePage';

/** Adds the pages of closed days, as Temporal keeps them, and the files of each. */
export function bookPages(
  server: FastifyInstance,
  { watch, book, policy }: Pick<ConsoleParts, 'watch' | 'book' | 'policy'>,
  guard: Guard,
): void {
  const closeOf = async (params: unknown): Promise<ShownClose> => {
    const { id } = readSent(orderNamed, params);
    const found = (await wholeOf(watch.closes())).find(({ workflowId }) => workflowId === id);
    if (found !== undefined) return found;
    throw new Refusal(404, `${id} is none of the last closes. "close show" prints older ones.`);
  };
  const resultOf = async (params: unknown): Promise<ClosedShown> => {
    const { result, workflowId } = await closeOf(params);
    if (result !== undefined) return result;
    throw new Refusal(404, `${workflowId} has no result.`);
  };

  server.get('/books', async (request, reply) => {
    const viewer = guard.viewerOf(request);
    const list = await partOf(watch.closes(), listShown);
    return reply
      .type(pageType)
      .send(frame({ title: 'Books', viewer, path: '/books' }, list, archiveWords(watch)));
  });

  server.get('/books/:id', async (request, reply) => {
    const viewer = guard.viewerOf(request);
    const close = await closeOf(request.params);
    const hasReceipts = watch.receipts !== undefined;
    const nameOf = namesOf(book(), policy());
    return reply.type(pageType).send(closePage(close, { viewer, hasReceipts, nameOf }));
  });

  server.get('/books/:id/close.json', async (request, reply) => {
    guard.viewerOf(request);
    const { day, whole } = await closeOf(request.params);
    if (whole === undefined) throw new Refusal(404, `The close of ${day} has no result.`);
    return reply
      .type('application/json')
      .header('content-disposition', `attachment; filename="close-${day}.json"`)
      .send(JSON.stringify(whole, null, 2));
  });

  server.get('/books/:id/receipts.jsonl', async (request, reply) => {
    guard.viewerOf(request);
    const { day, timeZone } = await resultOf(request.params);
    if (watch.receipts === undefined) throw new Refusal(404, noArchive);
    const lines = await wholeOf(watch.receipts(periodOfDay({ day, timeZone })));
    return reply
      .type('text/plain; charset=utf-8')
      .header('content-disposition', `attachment; filename="receipts-${day}.jsonl"`)
      .send(Readable.from(lines));
  });
}

const noArchive = 'The console has no archive: STEADFAST_STORE is not set for it.';

function archiveWords({ receipts }: ConsoleParts['watch']): PagePart {
  if (receipts !== undefined) return undefined;
  return html`<p>${noArchive} So receipts cannot be downloaded here.</p>`;
}

function listShown(closes: readonly ShownClose[]): PagePart {
  if (closes.length === 0) {
    return html`<p>No day was closed yet, or Temporal has forgotten it. Close one with
<code>npx --no-install steadfast close DAY</code>, or each day by a schedule of the kind
<code>dailyClose</code>.</p>`;
  }
  const rows = closes.map((close) => [
    html`<a href="/books/${encodeURIComponent(close.workflowId)}">${close.day}</a>`,
    stateShown(close),
    wordsOf(close),
    moment(close.startedAt),
  ]);
  const columns = ['Day', 'Result', 'In words', 'Compared'];
  return [
    html`<p>Each day compares orders, the list of the service, the chain and the archive.</p>`,
    table('The last closes, newest day first', columns, rows),
  ];
}

function stateShown({ result, execution }: ShownClose): PagePart {
  if (result === undefined) {
    return execution === 'RUNNING' ? 'is being compared' : html`<b class="bad">not closed</b>`;
  }
  return result.isBalanced
    ? html`<b class="good">agrees</b>`
    : html`<b class="bad">a person has to look</b>`;
}

function wordsOf({ result, error = '' }: ShownClose): PagePart {
  if (result === undefined) return error;
  const moved = result.rows.filter((row) => row.class === 'moved by somebody else').length;
  return [result.summary, moved > 0 && html` <b class="bad">Somebody else has moved money.</b>`];
}
