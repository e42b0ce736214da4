import type { CallOptions, CustodyApi } from '../custody/endpoints';
import { WithheldError } from '../custody/errors';
import { refHash } from '../custody/idempotencyKey';
import { readOrder } from '../orders/input/read';
import { authority as authoritySchema } from '../orders/input/signed';
import { decisionsOn } from './authority/approvals';
import { type Requester, requesterOf } from './authority/requester';
import { type Classified, classify, type Facts } from './call/classify';
import { NotUnderstood, understood } from './call/effects';
import { type JudgedCall, type JudgedMethod, readCall } from './call/shapes';
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
export type Asked = { input: unknown; how: CallOptions | undefined };

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
  let entity: string | undefined;

  /** The limits that count a write, once everybody has signed who has to. */
  const limitsOf = async (write: Write, given: unknown): Promise<readonly Limit[]> => {
    const authority = understood(() => readOrder(authoritySchema, given ?? {}));
    const { parts, kinds } = write.identity;
    const known = await ledger.known({ hash: refHash(parts), generation: parts.generation });
    const isFirst = known === undefined || known.state === 'unsent';
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
    });
    if (judgement.verdict === 'refused') throw new NotUnderstood(judgement.words);
    if (judgement.verdict === 'allowed' || !isFirst) return judgement.limits;
    const place = { policy, ledgerId: ledger.id, moneys, nowMs };
    const asked = { ...write, authority, requester };
    const decided = decisionsOn(judgement.approval, asked, place);
    if (decided.kind === 'approved') return judgement.limits;
    if (decided.kind === 'rejected') throw new NotUnderstood(decided.words);
    throw wanting(judgement, decided);
  };

  return async (name: JudgedMethod, { input, how }: Asked): Promise<Prepared> => {
    const call = readCall(name, input);
    const identity = identityOf(call, how?.parts);
    const about = await request(call);
    if (about !== undefined) {
      const own = { call, identity, classified: about, ...about, policy };
      return { call, reservation: reservationOf(own) };
    }
    const write = { call, identity, classified: await classify(call, facts) };
    const limits = await limitsOf(write, how?.authority);
    const hasFeeLimit = limits.some(({ maxFee }) => maxFee !== undefined);
    const fee = hasFeeLimit ? await fees(call) : undefined;
    return { call, reservation: reservationOf({ ...write, limits, fee, policy }) };
  };
}

type Write = { call: JudgedCall; identity: Identity; classified: Classified };

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
