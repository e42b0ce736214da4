import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Signer } from '../../../src/client/client';
import type { ApprovalWanted } from '../../../src/custody/objects/approval';
import type { Signed } from '../../../src/orders/input/signed';
import { assertionText, type PasskeyPurpose } from '../../../src/writer/signing/assertion';
import { signatureDigest } from '../../../src/writer/signing/digest';
import { readApproval, textOf } from '../../../src/writer/signing/statement';
import { deciding } from '../../console/approvals/deciding';
import { someone } from '../../support/stages';
import { type TestPasskey, testPasskey } from '../../writer/signing/passkeys';
import { officeOf } from '../authority/office';
import { consoleOf } from './browsers';
import { paymentRules } from './paymentRules';
import { visitorOf } from './visitor';

type Person = { signIn: TestPasskey; approval: TestPasskey };
type Name = 'ann' | 'bo' | 'cy';
type People = Record<Name, Person>;
type Own = Record<string, string>;
type Change = { people: People; treasurers: string[] };

/** A signer that touches a passkey for a purpose, whatever it is asked for. */
export function signingBy(by: TestPasskey, purpose: PasskeyPurpose = 'request'): Signer {
  return async (text) => by.touch(text, purpose);
}

/** A machine with other work is slow. */
const patienceMs = 90_000;

export const markup = '<img src=x onerror=alert(1)>';
const payee = someone();
const book = `name,address\n"Payee ${markup}",${payee}\n`;

/**
 * A console and a worker that signs, as processes. Cy requests. Above 0.05 USDC Ann and Bo approve.
 * Each has passkeys in software, which sign whatever a test tells them.
 */
export function attackedOffice() {
  const mark = randomUUID().slice(0, 8);
  const { folder, ...office } = officeOf<Change>(
    'attacks',
    (wallets, { people, treasurers = ['ann', 'bo'] }) => {
      return {
        groups: { requesters: ['cy'], treasurers },
        rules: paymentRules(wallets, { to: payee, signedBy: 'requesters', above: '0.05' }),
        passkeys: Object.fromEntries(
          Object.entries(people ?? {}).map(([name, { signIn, approval }]) => {
            return [name, { signIn: [signIn.publicKey], keys: [approval.publicKey] }];
          }),
        ),
      };
    },
    { book },
  );
  const { origin, env } = consoleOf({ folder, ...office });
  const visitor = visitorOf(origin);
  const now: { people?: People; own: Record<Name, Own> } = { own: { ann: {}, bo: {}, cy: {} } };
  const people = (): People => {
    if (now.people === undefined) throw new Error('People come before the tests.');
    return now.people;
  };

  beforeAll(async () => {
    const made = () => testPasskey({ origin: origin() });
    const person = (): Person => ({ signIn: made(), approval: made() });
    now.people = { ann: person(), bo: person(), cy: person() };
    await office.restartWith({ people: people() });
    for (const name of ['ann', 'bo', 'cy'] as const) {
      now.own[name] = await visitor.signIn(people()[name].signIn);
    }
  });

  const moneyOf = (amount: string) => {
    const [wallet] = office.wallets();
    return { wallet: wallet?.id ?? '', to: payee, amount, token: 'USDC' };
  };
  /** The question of an order to people. It asks again a moment after it was handed a signature. */
  const approvalOf = async (id: string): Promise<ApprovalWanted> => {
    for (const untilMs = Date.now() + patienceMs; Date.now() < untilMs; await sleep(200)) {
      const { progress } = await office.steadfastWith().status(id);
      const [asked] = progress?.approvals ?? [];
      if (asked !== undefined) return asked;
    }
    throw new Error(`${id} asks nobody.`);
  };
  const pages = {
    ...visitor,
    get people() {
      return people();
    },
  };
  const pathOf = (id: string): string => `/approvals/${encodeURIComponent(id)}`;
  return {
    ...office,
    pages,
    env,
    origin,
    people,
    moneyOf,
    pathOf,
    idOf: (name: string): string => `transfer:${name}-${mark}`,
    own: now.own,
    restartWith: (treasurers?: string[]) =>
      office.restartWith({ people: people(), ...(treasurers && { treasurers }) }),
    /** Has Cy request a transfer, which waits for two people. Returns its id. */
    hold: async (name: string): Promise<string> => {
      const id = `transfer:${name}-${mark}`;
      const { wallet, ...money } = moneyOf('0.2');
      const order = { from: { walletId: wallet }, ...money };
      const requesting = office.steadfastWith(signingBy(people().cy.approval));
      await requesting.start('transferStablecoin', id, order);
      await office.untilAsked(id);
      return id;
    },
    asked: async (id: string): Promise<string> => (await approvalOf(id)).statement,
    /** The people who have approved, and the number of signatures that were handed in. */
    given: async (id: string): Promise<{ given: string[]; handedIn: number }> => {
      const { given, weighed } = await approvalOf(id);
      return { given, handedIn: weighed.length };
    },
    deciding: (id: string) => deciding(pages, pathOf(id)),
    /** An approval of a person as their page sends it, and as it is signed. Nobody has sent it. */
    approvalBy: async (name: Name, id: string) => {
      const own = now.own[name];
      const digest = await deciding(pages, pathOf(id)).digestShown(own);
      const shown = { target: 'transfer/1#0', digest, purpose: 'approval' };
      const asked = await visitor.post(`${pathOf(id)}/challenge`, shown, own);
      const { challenge, at, expires } = asked.json();
      const { approval } = people()[name];
      const made = approval.answer(challenge);
      const { credentialId: _, ...answer } = made;
      const [, publicKey = ''] = approval.publicKey.split(' ');
      const question = readApproval((await approvalOf(id)).statement);
      const statement = textOf({ ...question, expires });
      const signature = assertionText({ at, publicKey, ...answer });
      return { body: { ...shown, at, expires, made }, signed: { statement, signature } };
    },
    /** The receipt of an order once it has ended. */
    ended: async (id: string): Promise<unknown> => {
      for (const untilMs = Date.now() + patienceMs; Date.now() < untilMs; await sleep(200)) {
        const { execution, receipt } = await office.steadfastWith().status(id);
        if (execution !== 'RUNNING') return receipt;
      }
      throw new Error(`${id} does not end.`);
    },
    /** Hands a signature to an order without the console. Returns the word of the worker on it. */
    verdictOn: async (id: string, signed: Signed): Promise<string> => {
      await office.steadfastWith().approve(id, signed);
      const digest = signatureDigest(signed.signature);
      for (const untilMs = Date.now() + patienceMs; Date.now() < untilMs; await sleep(200)) {
        const { weighed } = await approvalOf(id);
        const found = weighed.find((one) => one.digest === digest);
        if (found !== undefined) return found.fault ?? `${found.person} has approved it`;
      }
      throw new Error(`The worker has no word on a signature for ${id}.`);
    },
  };
}
