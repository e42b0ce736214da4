import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { isRecord } from '../../custody/isRecord';
import { textOf } from '../../writer/signing/statement';
import type { Guard } from '../guard';
import { pageType } from '../page/orderNamed';
import { search } from '../page/search';
import type { ConsoleParts } from '../parts';
import { readSent } from '../readSent';
import { Refusal } from '../refusal';
import { challengeTo, signedBy, touched } from '../touched';
import { statementOfDraft } from './draft';
import { draftPage } from './draftPage';
import { createDrafts } from './drafts';
import { payoutForm, startPage, transferForm } from './forms';
import { startDraft } from './handIn';
import { readPayoutForm } from './readPayout';
import { readTransfer } from './readTransfer';
import { fileBytesMax, wayOfLarge } from './upload';
import { walletNames } from './walletNames';

/** A writer has to see a request within five minutes of its challenge. */
const answerMs = 240_000;
/** A file as base64, and the other fields. */
const bodyBytesMax = Math.ceil(fileBytesMax / 3) * 4 + 100_000;

const draftNamed = z.object({ draft: z.string().max(100) });
const answer = z.strictObject({ made: touched });

/** Adds the pages that start a transfer or a payout, as a request of whoever has signed in. */
export function requestPages(server: FastifyInstance, parts: ConsoleParts, guard: Guard): void {
  const drafts = createDrafts();

  /** The person who requests, the session, and the account. Throws a Refusal for others. */
  const requesting = (request: FastifyRequest) => {
    const viewer = guard.viewerOf(request);
    const { person, csrf: owner, isRequester } = viewer;
    if (!isRequester) {
      const way = 'The policy names such a group with signedBy.';
      throw new Refusal(403, `${person} is in no group that requests payments. ${way}`);
    }
    const { entity } = parts;
    if (entity !== undefined) return { viewer, person, owner, entity };
    const way = 'Set it to the id of the account: "steadfast doctor" tells it.';
    throw new Refusal(503, `Nobody can request here: STEADFAST_ENTITY_ID is not set. ${way}`);
  };
  /** A stranger sends no large file. */
  const onRequest = async (request: FastifyRequest): Promise<void> => void requesting(request);

  server.get('/start', (request, reply) => {
    // The form that comes next shows them.
    void walletNames(parts.watch);
    return reply.type(pageType).send(startPage(requesting(request).viewer));
  });
  server.get('/start/transfer', async (request, reply) => {
    const { viewer } = requesting(request);
    return reply.type(pageType).send(await transferForm(parts, viewer));
  });
  server.get('/start/payout', async (request, reply) => {
    const { viewer } = requesting(request);
    return reply.type(pageType).send(await payoutForm(parts, viewer));
  });

  server.post('/start/transfer', async (request) => {
    const { person, owner } = requesting(request);
    const draft = await readTransfer(parts, person, request.body);
    return { path: `/start/${drafts.keep(owner, draft)}` };
  });
  const large = { bodyLimit: bodyBytesMax, onRequest, errorHandler: tooLarge(guard) };
  server.post('/start/payout', large, async (request) => {
    const { person, owner } = requesting(request);
    const draft = await readPayoutForm(parts, person, request.body);
    return { path: `/start/${drafts.keep(owner, draft)}` };
  });

  server.get('/start/:draft', (request, reply) => {
    const { viewer, owner, entity } = requesting(request);
    const { draft: name } = readSent(draftNamed, request.params);
    const draft = drafts.draftOf(name, owner);
    const statement = statementOfDraft({ ...parts, entity }, draft);
    const found = readSent(search, request.query);
    const shown = { viewer, name, draft, statement, search: found };
    return reply.type(pageType).send(draftPage(parts, shown));
  });

  server.post('/start/:draft/challenge', async (request) => {
    const { person, owner, entity } = requesting(request);
    const { draft: name } = readSent(draftNamed, request.params);
    const draft = drafts.draftOf(name, owner);
    const statement = textOf(statementOfDraft({ ...parts, entity }, draft));
    const { at, ...asked } = challengeTo(parts, { person, purpose: 'request', statement });
    drafts.ask(name, owner, { statement, at });
    return asked;
  });

  server.post('/start/:draft', async (request) => {
    const { person, owner, entity } = requesting(request);
    const { draft: name } = readSent(draftNamed, request.params);
    const { made } = readSent(answer, request.body);
    const draft = drafts.draftOf(name, owner);
    const asked = drafts.takeAsked(name, owner);
    if (asked === undefined || Date.parse(asked.at) < Date.now() - answerMs) {
      throw new Refusal(409, 'This was answered before, or took too long. Request it again.');
    }
    const signed = signedBy(parts, { person, purpose: 'request', ...asked, made });
    const { workflowId, outcome } = await startDraft(parts, { draft, signed, entity });
    drafts.drop(name);
    const pages = draft.kind === 'payout' ? '/payouts/' : '/orders/';
    return { path: `${pages}${encodeURIComponent(workflowId)}`, message: told[outcome] };
  });
}

const told = {
  started: 'It is requested. The worker that signs verifies it now.',
  attached: 'This order was requested before. It goes on, and nothing is paid twice.',
  completed: 'This order has ended before. Nothing is sent again. Its page tells what was paid.',
} as const;

/** Says in a sentence how large a file may be. */
function tooLarge({ answerError }: Guard): Guard['answerError'] {
  return (error, request, reply) => {
    const isLarge = isRecord(error) && error.code === 'FST_ERR_CTP_BODY_TOO_LARGE';
    const words = `A page takes a file of ${fileBytesMax} bytes. ${wayOfLarge}`;
    answerError(isLarge ? new Refusal(413, words) : error, request, reply);
  };
}
