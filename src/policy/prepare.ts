import type { CallOptions, CustodyApi } from '../custody/endpoints';
import { WithheldError } from '../custody/errors';
import { refHash } from '../custody/idempotencyKey';
import { readOrder } from '../orders/input/read';
import { authority as authoritySchema } from '../orders/input/signed';
import { decisionsOn } from './authority/approvals';
import { type Requester, requesterOf } from './authority/requester';
import { classify, type Facts } from './call/classify';
import { NotUnderstood, understood } from './call/effects';
import { type JudgedCall, type JudgedMethod, readCall } from './call/shapes';
import type { UnderstoodCall } from './call/understoodCall';
import { feesOf } from './fees';
import { moneysOf } from './file/money';
import type { Approval, Limit, Policy } from './file/policy';
import { type Identity, identityOf } from './identity';
import { judge } from './judge';
import type { Ledger, Reservation } from './ledger/ledger';
import { requestOf } from './request';
import { reservationOf } from './reservation';
import { tokensOf } from './tokens';
import { walletBook } from './wallets';

/** A call as it came: its input, and what its activity says of it. Nothing of it is believed. */
export type Asked = {
  input: unknown;
  how: CallOptions | undefined;
  /** The rule whose window has no room for it. People decide where that rule names an approval. */
  full?: { rule: string; words: string };
};

/** A call that the policy lets out, and what it has to reserve. */
export type Prepared = { call: JudgedCall; reservation: Reservation };

export type PrepareOptions = {
  policy: Policy;
  ledger: Ledger;
  blockchain: string;
  /** The namespace of Temporal that this process serves. Statements for another one are refused. */
  namespace: string;
};

/**
 * Reads, classifies and judges signed calls. Throws NotUnderstood or a WithheldError for what the
 * policy does not let out.
 */
export function preparing(custody: CustodyApi, options: PrepareOptions) {
  const { policy, ledger, blockchain, namespace } = options;
  const book = walletBook(custody, blockchain);
  const moneys = moneysOf(blockchain);
  const tokens = tokensOf(custody, { policy, moneys, blockchain });
  const facts: Facts = {
    blockchain,
    tokens,
    walletById: book.byId,
    walletByAddress: book.byAddress,
  };
  const fees = feesOf(custody);
  const request = requestOf(custody, { policy, ledger, book });
  const isSigned = policy.limits.some(({ signedBy }) => signedBy !== undefined);
  const asksPeople = isSigned || policy.approvals.length > 0;
  let entity: string | undefined;

  /** The limits that count a write, once everybody has signed who has to. */
  const limitsOf = async (write: UnderstoodCall, { how, full }: Asked): Promise<Allowed> => {
    const given = how?.authority;
    const authority = understood(() => readOrder(authoritySchema, given ?? {}));
    const { parts, kinds } = write.identity;
    const isFirst = asksPeople && (await isNew(ledger, parts));
    const nowMs = Date.now();
    let requester: Requester | undefined;
    if (isSigned && authority.request !== undefined) {
      entity ??= (await custody.getEntityConfig({})).appId;
      const place = { entity, namespace, blockchain };
      const knowledge = { book, tokens, moneys, policy, place, isFirst, nowMs };
      requester = await requesterOf(authority, write, knowledge);
    }
    const judgement = judge(policy, {
      ...write.classified,
      kinds: requester === undefined ? kinds : new Set([requester.statement.kind]),
      requester: requester?.person,
      ordered: requester?.ordered,
    });
    if (judgement.verdict === 'refused') throw new NotUnderstood(judgement.words);
    const { limits } = judgement;
    const asks = judgement.verdict === 'beyond' ? judgement : askingOf(policy, limits, full);
    if (asks === undefined || !isFirst) return { limits, requester, lifted: undefined };
    const place = { policy, ledgerId: ledger.id, moneys, nowMs };
    const asked = { ...write, authority, requester };
    const decided = decisionsOn(asks.approval, asked, place);
    if (decided.kind === 'approved') return { limits, requester, lifted: asks.approval.id };
    if (decided.kind === 'rejected') throw new NotUnderstood(decided.words);
    throw wanting(asks, decided);
  };

  return async (name: JudgedMethod, given: Asked): Promise<Prepared> => {
    const { input, how } = given;
    const call = readCall(name, input);
    const identity = identityOf(call, how?.parts);
    const about = await request(call);
    if (about !== undefined) {
      const own = { call, identity, classified: about, ...about, policy };
      return { call, reservation: reservationOf(own) };
    }
    const write = { call, identity, classified: await classify(call, facts) };
    const { limits, requester, lifted } = await limitsOf(write, given).catch((error) =>
      noteRefusal(ledger, identity, error),
    );
    const hasFeeLimit = limits.some(({ maxFee }) => maxFee !== undefined);
    const fee = hasFeeLimit ? await fees(call) : undefined;
    const reservation = reservationOf({ ...write, limits, requester, fee, policy });
    const isLifted = (rule: string): boolean =>
      lifted !== undefined && limits.some(({ id, beyond }) => id === rule && beyond === lifted);
    const windows = reservation.windows.filter(({ rule }) => !isLifted(rule));
    return { call, reservation: { ...reservation, windows } };
  };
}

/** A generation that was refused had no effect, so that a person may ask for the next one. */
async function noteRefusal(ledger: Ledger, { parts }: Identity, error: unknown): Promise<never> {
  const isFinal = error instanceof NotUnderstood;
  if (isFinal) await ledger.refused({ hash: refHash(parts), generation: parts.generation });
  throw error;
}

/** True until an attempt may have been sent. */
async function isNew(ledger: Ledger, parts: Identity['parts']): Promise<boolean> {
  const known = await ledger.known({ hash: refHash(parts), generation: parts.generation });
  return known === undefined || known.state === 'unsent';
}

/** The limits that count a write, who has signed it, and the approval that lifts some of them. */
type Allowed = {
  limits: readonly Limit[];
  requester: Requester | undefined;
  lifted: string | undefined;
};

/** The approval that a full window leads to, where its rule names one. */
function askingOf(
  { approvals }: Policy,
  limits: readonly Limit[],
  full: Asked['full'],
): { words: string; approval: Approval } | undefined {
  const limit = limits.find(({ id }) => id === full?.rule);
  const approval = approvals.find(({ id }) => id === limit?.beyond);
  return approval && full && { words: full.words, approval };
}

/** It waits for people. What they have to sign comes along. */
function wanting(
  { words, approval }: { words: string; approval: Approval },
  { wanted, faults }: Extract<ReturnType<typeof decisionsOn>, { kind: 'open' }>,
): WithheldError {
  const { id, need, of } = approval;
  const so = wanted.given.length === 0 ? '' : ` ${wanted.given.join(' and ')} approved so far.`;
  const not = faults.map((fault) => ` Not counted: ${fault.replace(/\.$/, '')}.`).join('');
  return new WithheldError(
    `${words} The rule ${id} wants the approval of ${need} of @${of}.${so}${not}`,
    { next: 'operator', approval: wanted },
  );
}
