import type { CustodyApi } from '../../../src/custody/endpoints';
import { WithheldError } from '../../../src/custody/errors';
import type { Wallet } from '../../../src/custody/objects/wallet';
import type { Authority, Decision, Signed } from '../../../src/orders/input/signed';
import { readOrderOf } from '../../../src/orders/kinds';
import type { Clock } from '../../../src/writer/clock';
import type { UnpaidIn } from '../../../src/writer/failedAlone';
import type { Ledger } from '../../../src/writer/ledger/ledger';
import { openLedger } from '../../../src/writer/ledger/openLedger';
import { requestFor, textOf } from '../../../src/writer/signing/statement';
import { setUp } from '../../support/jest/setUp';
import { blockchain, inSandbox } from '../../support/sandbox';
import { type TestKey, testKeys } from '../signing/keys';
import { asOf, limitOf, payee, stranger, transferFrom, writerOf } from '../writer';

/**
 * The people of a policy with their keys, and a wallet of its own for each test. The tests of a
 * writer that is started once share one wallet.
 */
export function signedOrders({ isShared = false, accountType = 'EOA' as 'EOA' | 'SCA' } = {}) {
  const makeKey = testKeys();
  const keys = {
    backend: makeKey('backend'),
    ann: makeKey('ann'),
    annToo: makeKey('annToo'),
    bo: makeKey('bo'),
    cy: makeKey('cy'),
    dee: makeKey('dee'),
    mallory: makeKey('mallory'),
  };
  const people = {
    backend: person(keys.backend),
    ann: person(keys.ann, keys.annToo),
    bo: person(keys.bo),
    cy: person(keys.cy),
    dee: person(keys.dee),
  };
  const groups = {
    backends: ['backend', 'cy'],
    treasurers: ['ann', 'bo', 'cy'],
    others: ['cy', 'dee'],
  };
  const now: { wallet?: Wallet } = {};
  const sandbox = inSandbox();
  const entity = setUp(() => sandbox.client.getEntityConfig({}));
  (isShared ? beforeAll : beforeEach)(async () => {
    now.wallet = await sandbox.usedWallet(accountType);
  });
  const wallet = (): Wallet => there(now.wallet);
  const rules = (tiers: object[], fields: object): object[] => {
    const orders = ['transferStablecoin', 'executeContract', 'deployContract', 'payout'];
    const who = { orders, signedBy: 'backends', beyond: 'large', ...fields };
    return [limitOf(wallet(), { to: [payee, stranger], ...who }), ...tiers];
  };
  return {
    keys,
    people,
    groups,
    sandbox: () => sandbox,
    wallet,
    entity: () => entity.appId,
    /** All USDC that has left the wallet, by the logs of the chain. */
    paid: async (): Promise<bigint[]> => {
      const logs = await sandbox.transfers({ from: wallet().address });
      return logs.map(({ value }) => value);
    },
    /** A policy whose rule wants signatures, and people above 2 USDC, for a worker. */
    policy: () => ({ version: 1, people, groups, rules: rules([tierOf('large', '2')], {}) }),
    /** A writer with that policy, or with other tiers. */
    writer: (
      ledger = newLedger(),
      tiers: object[] = [tierOf('large', '2')],
      { version = 1, unpaidIn, clock, bookPath, names: changed, ...fields }: WriterChange = {},
    ) => {
      const names = { version, people, groups, ...changed };
      return writerOf(sandbox.client, rules(tiers, fields), {
        ledger,
        unpaidIn,
        clock,
        bookPath,
        ...names,
      });
    },
    /** The approvals of two people. */
    both: async (wanted: string): Promise<Decision[]> => [
      await decided(wanted, keys.ann),
      await decided(wanted, keys.bo),
    ],
    /** A transfer, and the statement of its order. */
    ordered: (amount: string, to: string = payee, lastsMs = 60_000) => {
      const transfer = transferFrom(wallet(), amount, { destinationAddress: to });
      const money = { from: { walletId: wallet().id }, to, amount, token: 'USDC' };
      const statement = requestFor({
        entity: entity.appId,
        blockchain,
        namespace: 'default',
        workflowId: transfer.parts.workflowId,
        kind: 'transferStablecoin',
        order: readOrderOf('transferStablecoin', money),
        expires: new Date(Date.now() + lastsMs),
      });
      return { ...transfer, statement, text: textOf(statement) };
    },
  };
}

type WriterChange = {
  version?: number;
  unpaidIn?: UnpaidIn;
  clock?: Clock | undefined;
  bookPath?: string | undefined;
  /** Other people and groups. */
  names?: object;
  [field: string]: unknown;
};

export type Office = ReturnType<typeof signedOrders>;
/** A hostile use of signatures. It never lets a payment out. */
export type SignedAttack = readonly [
  what: string,
  /** A part of the answer. */
  words: string,
  attack: (office: Office, api: CustodyApi) => Promise<unknown>,
];

export type Ordered = ReturnType<ReturnType<typeof signedOrders>['ordered']>;

/** Sends a transfer with the signatures that its order carries. */
export function send(api: CustodyApi, { input, how }: Ordered, authority: Authority) {
  return api.createTransfer(input, { ...how, authority });
}

/** The same write in its next generation. */
export function nextOf(order: Ordered): Ordered {
  const parts = { ...order.parts, generation: order.parts.generation + 1 };
  const { identity, how } = asOf(parts);
  return { ...order, parts, input: { ...order.input, ...identity }, how };
}

/** The message of a refusal, or the word that it was sent. */
export const refusal = (sending: Promise<unknown>): Promise<string> =>
  sending.then(
    () => 'sent',
    (error: Error) => error.message,
  );

/** An approval of two treasurers above an amount. */
export function tierOf(id: string, above: string, fields: object = {}): object {
  const usual = { kind: 'approval', need: 2, of: 'treasurers', within: 48 };
  return { id, above, ...usual, ...fields };
}

/** The statement that people are asked to sign, and who has approved it so far. */
export async function askedFor(
  sending: Promise<unknown>,
): Promise<{ statement: string; given: string[]; message: string }> {
  const error = await sending.catch((thrown) => thrown);
  if (!(error instanceof WithheldError) || error.approval === undefined) throw error;
  const { statement, given } = error.approval;
  return { statement, given, message: error.message };
}

export const newLedger = (): Ledger => openLedger(':memory:', { keyLifetimeMs: 3_600_000 });

/** Signs what a writer asks people for. */
export async function decided(
  wanted: string,
  by: { sign(text: string, purpose: Decision['purpose']): Promise<Signed> },
  purpose: Decision['purpose'] = 'approval',
): Promise<Decision> {
  return asDecision(await by.sign(wanted, purpose), purpose);
}

/** A signature as an order carries it on. */
export function asDecision(
  { statement, signature }: Signed,
  purpose: Decision['purpose'] = 'approval',
): Decision {
  const { expires, write } = JSON.parse(statement);
  return { purpose, target: write.target, expires, signature };
}

function person(...of: TestKey[]) {
  return { keys: of.map(({ publicKey }) => publicKey) };
}

function there<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('It is made before the tests.');
  return value;
}
