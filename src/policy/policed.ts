import { setTimeout as sleep } from 'node:timers/promises';
import type { CallOptions, CustodyApi } from '../custody/endpoints';
import { NotSentError, RefusedError, WithheldError } from '../custody/errors';
import { buildLedger } from './build';
import { type Classified, classify, type Facts } from './call/classify';
import { NotUnderstood } from './call/effects';
import { sendCall } from './call/sendCall';
import { type JudgedCall, type JudgedMethod, judgedMethods, readCall } from './call/shapes';
import { feesOf } from './fees';
import { moneysOf } from './file/money';
import type { Limit, Policy } from './file/policy';
import { type Identity, identityOf } from './identity';
import { judge } from './judge';
import {
  type End,
  type Ledger,
  LedgerError,
  type Reservation,
  type Reserved,
} from './ledger/ledger';
import { readingCustody } from './readingCustody';
import { endsOf } from './records';
import { requestOf } from './request';
import { reservationOf } from './reservation';
import { tokensOf } from './tokens';
import { walletBook } from './wallets';

export type PolicedOptions = {
  policy: Policy;
  ledger: Ledger;
  blockchain: string;
  /** True for an error that proves that the call had no effect. */
  isWithoutEffect(error: unknown): boolean;
};

const buildWaitMs = 5_000;
const waitMinMs = 2_000;
const waitMaxMs = 300_000;

/**
 * The same service, as far as the policy lets it out. Each signed call has one closed form. It is
 * classified, judged and reserved in the ledger before it is sent. Every other write and every
 * signature is closed. Records that pass by settle their reservations.
 */
export function policed(custody: CustodyApi, options: PolicedOptions): CustodyApi {
  const { ledger } = options;
  const judging = judgingOf(custody, options);
  const methods = judgedMethods.map((name) => [
    name,
    (input: unknown, how?: CallOptions) => judging(name, { input, how }),
  ]);
  return {
    ...readingCustody(custody),
    ...Object.fromEntries(methods),
    getTransaction: async (input, how) => {
      const answer = await custody.getTransaction(input, how);
      await ledger.end(endsOf([answer.transaction]));
      return answer;
    },
    listTransactions: async (input, how) => {
      const answer = await custody.listTransactions(input, how);
      await ledger.end(endsOf(answer.transactions));
      return answer;
    },
  };
}

type Asked = { input: unknown; how: CallOptions | undefined };

/** Takes a signed call from its input to its answer, or says why it is not sent. */
function judgingOf(custody: CustodyApi, options: PolicedOptions) {
  const { policy, ledger, blockchain } = options;
  const book = walletBook(custody, blockchain);
  const facts: Facts = {
    blockchain,
    tokens: tokensOf(custody, { policy, moneys: moneysOf(blockchain), blockchain }),
    walletById: book.byId,
    walletByAddress: book.byAddress,
  };
  const fees = feesOf(custody);
  const request = requestOf(custody, { policy, ledger, book });
  const prepare = async (name: JudgedMethod, { input, how }: Asked) => {
    const call = readCall(name, input);
    const identity = identityOf(call, how?.parts);
    const about = await request(call);
    if (about !== undefined) {
      return { call, ...reservationOf({ call, identity, classified: about, ...about, policy }) };
    }
    const classified = await classify(call, facts);
    const limits = limitsOf(policy, { call, identity, classified });
    const hasFeeLimit = limits.some(({ maxFee }) => maxFee !== undefined);
    const fee = hasFeeLimit ? await fees(call) : undefined;
    return { call, ...reservationOf({ call, identity, classified, limits, fee, policy }) };
  };
  const built = builtWithin(() => buildLedger(custody, ledger));
  return async (name: JudgedMethod, asked: Asked): Promise<unknown> => {
    await beforeSending(name, built);
    const { call, ...reservation } = await beforeSending(name, () => prepare(name, asked));
    const reserved = await beforeSending(name, () => ledger.reserve(reservation));
    refuseUnlessReserved(name, reserved);
    try {
      const answer = await sendCall(custody, call, asked.how);
      await remember(ledger, reservation, answer);
      return answer;
    } catch (error) {
      if (options.isWithoutEffect(error))
        await ledger.withoutEffect(reservation.key).catch(() => {});
      throw error;
    }
  };
}

/**
 * Begins the first pass once, and waits for it as long as a call may take. A failed pass begins
 * again with the next call.
 */
function builtWithin(build: () => Promise<void>): () => Promise<void> {
  let building: Promise<boolean> | undefined;
  return async () => {
    building ??= build().then(
      () => true,
      (error: unknown) => {
        building = undefined;
        throw error;
      },
    );
    const isBuilt = await Promise.race([building, sleep(buildWaitMs, false, { ref: false })]);
    if (isBuilt) return;
    const words =
      'The ledger is new, and is being built from what the service has. Nothing was sent.';
    throw new WithheldError(words, { next: 'again', afterMs: buildWaitMs });
  };
}

/** The limits that count a write. Throws when the policy does not let it out. */
function limitsOf(
  policy: Policy,
  { call, identity, classified }: { call: JudgedCall; identity: Identity; classified: Classified },
): readonly Limit[] {
  const judgement = judge(policy, { ...classified, kinds: identity.kinds });
  if (judgement.verdict === 'allowed') return judgement.limits;
  if (judgement.verdict === 'refused') throw withheld(call.method, judgement.words, 'stop');
  const { need, of, id } = judgement.approval;
  throw withheld(
    call.method,
    `${judgement.words} The rule ${id} wants the approval of ${need} of @${of}.`,
    'operator',
  );
}

/** Runs what comes before the call. Whatever fails here, nothing was sent. */
async function beforeSending<T>(name: JudgedMethod, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof WithheldError) throw error;
    if (error instanceof NotUnderstood) throw withheld(name, error.message, 'stop');
    if (error instanceof LedgerError) throw withheld(name, error.message, 'again');
    if (error instanceof RefusedError && [401, 403, 429].includes(error.status)) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new NotSentError(`${name} could not be judged, and was not sent: ${reason}`, {
      cause: error,
    });
  }
}

function refuseUnlessReserved(name: JudgedMethod, reserved: Reserved): void {
  switch (reserved.kind) {
    case 'refused':
      throw withheld(name, reserved.words, 'stop');
    case 'lookUp':
      throw withheld(name, reserved.words, 'lookUp');
    case 'wait': {
      const untilMs = reserved.untilMs ?? 0;
      const afterMs = Math.min(Math.max(untilMs - Date.now(), waitMinMs), waitMaxMs);
      const message = `The policy holds ${name} back. ${reserved.words}`;
      throw new WithheldError(message, { next: 'again', afterMs });
    }
    default:
  }
}

/** The answer counts, also when the ledger cannot note it. Settling finds the record later. */
async function remember(ledger: Ledger, asked: Reservation, answer: unknown): Promise<void> {
  const id = transactionIdOf(answer);
  try {
    if (id !== undefined && asked.about === undefined) await ledger.accepted(asked.key, id);
    else await ledger.end([endOfAnswer(asked)]);
  } catch {
    // It stays reserved, which is on the safe side.
  }
}

/** A call without a transaction of its own has ended once it was answered. */
function endOfAnswer({ hash, parts: { generation }, about = '' }: Reservation): End {
  return { hash, generation, transactionId: about, hadEffect: true, fee: undefined };
}

function transactionIdOf(answer: unknown): string | undefined {
  if (typeof answer !== 'object' || answer === null) return undefined;
  if ('transactionId' in answer) return String(answer.transactionId);
  return 'id' in answer ? String(answer.id) : undefined;
}

function withheld(name: string, words: string, next: WithheldError['next']): WithheldError {
  return new WithheldError(`The policy does not allow this ${name}. ${words}`, { next });
}
