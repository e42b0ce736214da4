import type { CallOptions, CustodyApi } from '../custody/endpoints';
import { RefusedError, WithheldError } from '../custody/errors';
import type { Grounds } from '../custody/objects/grounds';
import { refHash } from '../custody/reference';
import { readAuthority } from '../orders/input/signed';
import { paymentPlaces, refuseTooLarge } from './batches';
import { classify, type Facts } from './call/classify';
import { refuseLastSets } from './call/creations';
import { NotUnderstood, understood } from './call/effects';
import { type Identity, remakeIdentity } from './call/identity';
import { orderedIn } from './call/ordered';
import { type JudgedCall, type JudgedMethod, readCall } from './call/shapes';
import type { UnderstoodCall } from './call/understoodCall';
import { notingUnpaid, type UnpaidIn } from './failedAlone';
import { type Bounded, boundingFees } from './fees';
import type { Policy } from './file/policy';
import { judge } from './judge';
import type { Knowledge } from './knowledge';
import { rejectedBy } from './ledger/decisions';
import type { Ledger, Reservation } from './ledger/ledger';
import { type ProveOptions, provingBefore } from './list/prove';
import { checkingOf } from './payees/checking';
import { payingWrite } from './payees/payingWrite';
import { decisionsOn, type PeopleDecision, rejectionOf } from './people/approvals';
import { type Asks, neededOf } from './people/asks';
import { fullOf, isLifted } from './people/fullWindows';
import { type Requester, requesterOf } from './people/requester';
import { readTarget } from './request';
import { reservationOf, signedRequestOf } from './reservation';
import { refuseScreened, reviewsOf } from './screen/reviews';
import { type Screened, screeningOf, worstFirst } from './screen/screening';

/** A call as it came: its input, and what its activity says of it. Nothing of it is believed. */
export type RawCall = {
  input: unknown;
  how: CallOptions | undefined;
};

/** A call, and the time at which it is judged. */
type AskedAt = RawCall & { nowMs: number };

/** A call that the policy lets out, and what it has to reserve. */
type Prepared = { call: JudgedCall; reservation: Reservation };

export type PrepareOptions = ProveOptions & {
  policy: Policy;
  ledger: Ledger;
  blockchain: string;
  /** The namespace of Temporal that this process serves. Statements for another one are refused. */
  namespace: string;
  /** The file of the address book of this process. */
  bookPath?: string | undefined;
  /** Asks the chain, where this process has a node of it. */
  unpaidIn?: UnpaidIn | undefined;
};

/**
 * Reads, classifies and judges signed calls. Throws NotUnderstood or a WithheldError for what the
 * policy does not let out. The ledger hears of the records that `getTransaction` reads.
 */
export function preparing(
  custody: CustodyApi,
  options: PrepareOptions & Knowledge & Pick<CustodyApi, 'getTransaction'>,
) {
  const { policy, ledger, blockchain, namespace, book, moneys, tokens } = options;
  const facts: Facts = {
    blockchain,
    tokens,
    walletById: book.byId,
    walletByAddress: book.byAddress,
  };
  const bounding = boundingFees(custody);
  const request = readTarget(custody, { policy, ledger, book });
  const isSigned = policy.limits.some(({ signedBy }) => signedBy !== undefined);
  const proveBefore = provingBefore(options);
  const noteUnpaid = notingUnpaid(custody, { ledger, unpaidIn: options.unpaidIn });
  const screening = screeningOf(custody, { policy, blockchain });
  const checking = checkingOf(options);
  const asksPeople = isSigned || policy.approvals.length > 0 || policy.screens.length > 0;
  let entity: string | undefined;

  /** The rules that count a write, and who has signed its order. */
  const judged = async (write: UnderstoodCall, { how, nowMs }: AskedAt) => {
    const authority = understood(() => readAuthority(how?.authority ?? {}));
    const { parts, kinds } = write.identity;
    const isFirst = await isNew(ledger, parts);
    // The ledger refuses it in any case. Nobody is asked about it before.
    const rejected = isFirst ? await ledger.rejected(parts, { isApproved: true }) : undefined;
    if (rejected !== undefined) throw new NotUnderstood(rejected);
    let requester: Requester | undefined;
    if (isSigned && authority.request !== undefined) {
      entity ??= (await custody.getEntityConfig({})).appId;
      const place = { entity, namespace, blockchain };
      const known = { book, tokens, moneys, policy, place, memory: ledger };
      requester = await requesterOf(authority, write, { ...known, isFirst, nowMs });
    }
    // Nobody is asked to approve it either.
    const request = requester && isFirst && signedRequestOf(requester, parts);
    const withdrawn = request && (await ledger.withdrawn(request));
    if (withdrawn) throw new NotUnderstood(withdrawn);
    const asked = {
      ...write.classified,
      kinds: requester === undefined ? kinds : new Set([requester.statement.kind]),
      requester: requester?.person,
      ordered: requester?.ordered,
    };
    const judgement = judge(policy, asked);
    if (judgement.verdict === 'refused') {
      const apart = paymentPlaces(write, (effect) => {
        return judge(policy, { ...asked, effects: [effect] }).verdict === 'refused';
      });
      throw new NotUnderstood(judgement.words, { apart });
    }
    return { judgement, signed: { ...write, authority, requester }, kinds: asked.kinds, isFirst };
  };

  /** A write as it is sent, and its reservation, once everybody has signed who has to. */
  const allowed = async (write: UnderstoodCall, given: AskedAt): Promise<Prepared> => {
    const { judgement, signed, kinds, isFirst } = await judged(write, given);
    const { limits } = judgement;
    if (isFirst) await refuseLastSets(custody, write.call);
    const { parts } = write.identity;
    const lines = signed.requester?.lines;
    if (isFirst) await proveBefore({ hash: refHash(parts), parts, lines });
    if (isFirst) await noteUnpaid(write, lines);
    // The reservation of an earlier attempt stands, with its fee.
    const { wallet } = write.classified;
    const isCounted = limits.length > 0 && isFirst;
    const { call, fee } = isCounted
      ? await estimated(bounding(write.call, wallet))
      : { call: write.call, fee: undefined };
    const ordered = isFirst && wallet ? await orderedIn(call, wallet, tokens) : undefined;
    const reservation = { ...reservationOf({ ...signed, limits, fee, policy }), call: ordered };
    if (!isFirst) return { call, reservation: { ...reservation, isRepeat: true } };
    const { seen, checked, ...found } = await checking(
      payingWrite(write, kinds, lines),
      given.nowMs,
    );
    if (!asksPeople && found.verdicts.length === 0) {
      refuseTooLarge(write, reservation.windows);
      const grounds = { ...reservation.grounds, ...(checked && { checked }) };
      return { call, reservation: { ...reservation, seen, grounds } };
    }
    const screened = await screening(write.classified.effects);
    const verdicts = worstFirst([...found.verdicts, ...screened]);
    refuseScreened(write, verdicts);
    const needed = neededOf([
      ...reviewsOf(policy, verdicts),
      ...(judgement.verdict === 'beyond' ? judgement.asks : []),
      ...(await fullOf(options, reservation.windows)),
    ]);
    const place = { policy, ledger, moneys, nowMs: given.nowMs };
    const asked = { ...signed, verdicts };
    // It counts also where nobody would be asked any more.
    const rejection = rejectionOf(asked, place);
    if (rejection !== undefined) {
      await ledger.reject(rejection);
      throw new NotUnderstood(rejectedBy(rejection.person));
    }
    // After a rejection people decide about this very write, whatever they have said of the whole.
    const isRetried = (await ledger.rejected(parts, { isApproved: false })) !== undefined;
    const approvers = new Set<string>();
    for (const asks of needed) {
      const extent = isRetried || asks.isOfWrite ? 'alone' : 'whole';
      const decided = await decisionsOn(asks.approval, { ...asked, extent }, place);
      if (decided.kind === 'open') throw wanting(asks, decided);
      for (const person of decided.by) approvers.add(person);
    }
    const windows = reservation.windows.filter((window) => !isLifted(policy, window, needed));
    refuseTooLarge(write, windows);
    const cleared = { ...clearedBy(policy, verdicts, [...approvers]), ...(checked && { checked }) };
    const grounds = { ...reservation.grounds, ...cleared };
    const isApproved = isRetried && approvers.size > 0;
    return { call, reservation: { ...reservation, windows, seen, grounds, isApproved } };
  };

  return async (name: JudgedMethod, given: AskedAt): Promise<Prepared> => {
    const { input, how } = given;
    const call = readCall(name, input);
    const identity = remakeIdentity(call, how?.parts);
    const about = await request(call);
    if (about !== undefined) {
      const own = { call, identity, classified: about, ...about, policy };
      return { call, reservation: reservationOf(own) };
    }
    const write = { call, identity, classified: await classify(call, identity, facts) };
    return allowed(write, given).catch((error) => noteRefusal(ledger, identity, error));
  };
}

/** The part of the grounds that others than the policy have said. */
function clearedBy(
  { screens }: Policy,
  verdicts: readonly Screened[],
  approvedBy: string[],
): Pick<Grounds, 'approvedBy' | 'screened'> {
  const screened = screens.map(({ id }) => {
    const isReviewed = verdicts.some(({ rule }) => rule.id === id);
    return [id, isReviewed ? 'review' : 'clear'] as const;
  });
  return {
    ...(approvedBy.length === 0 ? {} : { approvedBy }),
    ...(screened.length === 0 ? {} : { screened: Object.fromEntries(screened) }),
  };
}

/** The service refuses to estimate a call that it would refuse to send. */
async function estimated(bounding: Promise<Bounded>): Promise<Bounded> {
  try {
    return await bounding;
  } catch (error) {
    const isFinal = error instanceof RefusedError && error.status === 400;
    if (!isFinal) throw error;
    throw new NotUnderstood(`The service estimates no fee for it: ${error.message}`);
  }
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

/** It waits for people. What they have to sign comes along. */
function wanting(
  { words, approval }: Asks,
  { wanted, faults }: Extract<PeopleDecision, { kind: 'open' }>,
): WithheldError {
  const { id, need, of } = approval;
  const so = wanted.given.length === 0 ? '' : ` ${wanted.given.join(' and ')} approved so far.`;
  const not = faults.map((fault) => ` Not counted: ${fault.replace(/\.$/, '')}.`).join('');
  return new WithheldError(
    `${words} The rule ${id} wants the approval of ${need} of @${of}.${so}${not}`,
    { next: 'operator', approval: wanted },
  );
}
