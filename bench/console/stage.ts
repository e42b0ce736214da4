import { createHash } from 'node:crypto';
import { Client, Connection } from '@temporalio/client';
import type { Office } from '../../src/cli/demo/office/startOffice';
import type { PayoutLine } from '../../src/client/client';
import type { StackParts } from '../../src/local/startStack';
import { testPasskey } from '../../test/writer/signing/passkeys';

const person = 'ann';
const startsAtATime = 100;

/** A person who has signed in: reads pages as their browser does. */
export type Session = {
  origin: string;
  cookie: string;
  read(path: string): Promise<string>;
};

/** Makes passkeys by an invitation, and signs in with them. */
export async function openSession(office: Office, origin: string): Promise<Session> {
  const never = new Promise<never>(() => {});
  const { link, entered } = await office.invite(person, never);
  const token = link.split('/').at(-1) ?? '';
  const [signIn, approval] = [testPasskey({ origin }), testPasskey({ origin })];
  const challengeOf = (field: string): string =>
    createHash('sha256').update(`steadfast-enrolment ${field} ${token}`).digest('base64url');
  await post(link, origin, {
    signIn: signIn.made(challengeOf('signIn')),
    approval: approval.made(challengeOf('approval')),
  });
  await entered;
  const asked = await post(`${origin}/sign-in/challenge`, origin, {});
  const { challenge }: { challenge: string } = JSON.parse(await asked.text());
  const made = signIn.answer(challenge);
  const signed = await post(`${origin}/sign-in`, origin, { challenge, made });
  const [cookie = ''] = signed.headers.getSetCookie().map((one) => one.split(';')[0] ?? '');
  return {
    origin,
    cookie,
    read: async (path) => {
      const answer = await fetch(`${origin}${path}`, { headers: { cookie }, redirect: 'error' });
      const text = await answer.text();
      if (answer.status === 200) return text;
      throw new Error(`${path} was answered with ${answer.status}: ${text}`);
    },
  };
}

async function post(url: string, origin: string, body: object): Promise<Response> {
  const headers = { origin, 'content-type': 'application/json' };
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  if (answer.ok) return answer;
  throw new Error(`${url} was answered with ${answer.status}: ${await answer.text()}`);
}

/** Adds orders that are over, as thousands of done ones beside those that wait. */
export async function fillNamespace({ temporal }: StackParts, orders: number): Promise<void> {
  const connection = await Connection.connect({ address: temporal.address });
  try {
    const { workflow } = new Client({ connection, namespace: temporal.namespace });
    for (let first = 0; first < orders; first += startsAtATime) {
      const count = Math.min(startsAtATime, orders - first);
      const starts = Array.from({ length: count }, async (_, at) => {
        const handle = await workflow.start('transferStablecoin', {
          workflowId: `transfer:filled-${first + at}`,
          taskQueue: 'nobody',
          searchAttributes: {
            SteadfastStatus: ['Done'],
            SteadfastKind: ['transferStablecoin'],
            SteadfastRef: [`Invoice ${first + at}`],
          },
        });
        await handle.terminate();
      });
      await Promise.all(starts);
    }
  } finally {
    await connection.close();
  }
}

/** Above the sum at which people are asked, and below what the wallet holds. */
const askedSum = 60;
const decimals = 6;

/** Lines of equal amounts, each to a payee of its own. Without a sum, people are asked. */
export function linesOf(count: number, sum = askedSum): PayoutLine[] {
  const amount = (sum / count).toFixed(decimals);
  return Array.from({ length: count }, (_, at) => {
    const digest = createHash('sha256').update(`payee ${at}`).digest('hex');
    return { lineId: `line.${at}`, to: `0x${digest.slice(0, 40)}`, amount, token: 'USDC' };
  });
}
