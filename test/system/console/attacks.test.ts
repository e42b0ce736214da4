import { createHash } from 'node:crypto';
import type { Signer } from '../../../src/client/client';
import { openInvitations } from '../../../src/console/invite/invitations';
import { fileBytesMax } from '../../../src/console/start/upload';
import type { Signed } from '../../../src/orders/input/signed';
import { runCli } from '../../cli/runCli';
import type { Deciding } from '../../console/approvals/deciding';
import { payoutOf, requested, type Steps } from '../../console/start/requests';
import { type TestPasskey, testPasskey } from '../../writer/signing/passkeys';
import { attackedOffice, markup, signingBy } from './attackedOffice';

const office = attackedOffice();
const { pages, people, own, idOf } = office;
const approvedBy = (by: TestPasskey, asks: string): Signed => by.touch(asks, 'approval');

/** Base units that have left the wallets because people wanted it. */
const wanted: number[] = [];
/** An order that waits for people, and is attacked. */
const held = idOf('held');

beforeAll(async () => void (await office.hold('held')));
// The logs of the chain are the judge of each attack.
afterEach(async () => expect(ascending(await office.paid())).toEqual(ascending(wanted)));

type Approving = {
  /** Through the console, with the words of its refusal. */
  page: () => Deciding & { digest?: string };
  refused: string;
  /** Past the console, with the words of the worker. */
  past: (asks: string) => Signed;
  fault: string;
};
const unfit = 'does not fit the statement and the purpose';
const approvals: [what: string, attack: Approving][] = [
  [
    'by the passkey of another person',
    {
      page: () => ({ by: people().cy.approval }),
      refused: 'no passkey of ann that decides',
      past: (asks) => approvedBy(people().cy.approval, asks),
      fault: 'cy may not decide on it',
    },
  ],
  [
    'by the passkey of a sign-in',
    {
      page: () => ({ by: people().ann.signIn }),
      refused: 'no passkey of ann that decides',
      past: (asks) => approvedBy(people().ann.signIn, asks),
      fault: 'of nobody in the policy',
    },
  ],
  [
    'by the answer to a sign-in',
    {
      page: () => ({ how: { challenge: signInChallenge } }),
      refused: unfit,
      past: (asks) => people().ann.approval.touch(asks, 'signIn'),
      fault: unfit,
    },
  ],
  [
    'by the answer to a rejection',
    {
      page: () => ({ purpose: 'rejection', sent: 'approval' }),
      refused: unfit,
      past: (asks) => people().ann.approval.touch(asks, 'rejection'),
      fault: unfit,
    },
  ],
  [
    'of a statement that changes between display and signature',
    {
      page: () => ({ digest: 'a'.repeat(64) }),
      refused: 'asks for something else than this page shows',
      past: (asks) => approvedBy(people().ann.approval, asks.replace('"0.2"', '"0.1"')),
      fault: unfit,
    },
  ],
];
let signInChallenge = '';

describe('an approval', () => {
  test.each(approvals)('%s is refused, and does not count for the worker', async (_, attack) => {
    signInChallenge = (await pages.post('/sign-in/challenge', {})).json().challenge;
    const answer = await office.deciding(held).decide(own.ann, attack.page());
    expect(answer.statusCode).toBeGreaterThanOrEqual(400);
    expect(answer.json().message).toContain(attack.refused);
    const past = attack.past(await office.asked(held));
    expect(await office.verdictOn(held, past)).toContain(attack.fault);
    expect((await office.given(held)).given).toEqual([]);
  });

  test('with a forged or missing token, or from another page, is not handed in', async () => {
    const before = await office.given(held);
    const { body } = await office.approvalBy('ann', held);
    const { cookie = '' } = own.ann;
    const forged = [
      { cookie },
      { cookie, 'x-csrf': 'forged' },
      { cookie, 'x-csrf': own.bo['x-csrf'] ?? '' },
      { ...own.ann, origin: 'https://evil.example' },
      { 'x-csrf': own.ann['x-csrf'] ?? '' },
    ];
    for (const headers of forged) {
      const answer = await pages.post(office.pathOf(held), body, headers);
      expect([401, 403]).toContain(answer.statusCode);
    }
    expect(await office.given(held)).toEqual(before);
  });

  test('that is replayed counts once, and for no other order', async () => {
    const [one, other] = [await office.hold('one'), await office.hold('other')];
    const { body, signed } = await office.approvalBy('ann', one);
    expect((await pages.post(office.pathOf(one), body, own.ann)).statusCode).toBe(200);
    await office.untilAsked(one, 1);
    const again = await pages.post(office.pathOf(one), body, own.ann);
    expect(again.json().message).toBe('ann has approved it before, and counts once.');
    expect(await office.verdictOn(one, signed)).toBe('ann has approved it');
    const digest = await office.deciding(other).digestShown(own.ann);
    const replayed = await pages.post(office.pathOf(other), { ...body, digest }, own.ann);
    expect(replayed.json().message).toContain(unfit);
    const past = { ...signed, statement: await office.asked(other) };
    expect(await office.verdictOn(other, past)).toContain(unfit);
    expect((await office.given(one)).given).toEqual(['ann']);
    expect((await office.given(other)).given).toEqual([]);
  });

  test('on a page that is older than the policy is refused, and does not count', async () => {
    const id = await office.hold('stale');
    const { body, signed } = await office.approvalBy('ann', id);
    await office.restartWith(['bo', 'backend']);
    await office.untilAsked(id);
    const answer = await pages.post(office.pathOf(id), body, own.ann);
    expect(answer.json().message).toBe('The rule large does not ask ann.');
    expect(await office.verdictOn(id, signed)).toContain('ann may not decide on it');
    expect((await office.given(id)).given).toEqual([]);
    await office.restartWith();
    await office.untilAsked(held);
  });

  test('of two people at once counts twice, and the order is paid once', async () => {
    const id = await office.hold('both');
    const decisions = await Promise.all([
      office.approvalBy('ann', id),
      office.approvalBy('bo', id),
    ]);
    const posted = decisions.map(({ body }, at) =>
      pages.post(office.pathOf(id), body, at === 0 ? own.ann : own.bo),
    );
    for (const { statusCode } of await Promise.all(posted)) expect(statusCode).toBe(200);
    wanted.push(200_000);
    expect(await office.ended(id)).toMatchObject({ amount: '0.2' });
  });
});

describe('a sign-in', () => {
  test('by a passkey that approves, by another answer, or twice opens no session', async () => {
    const { ann } = people();
    const { body } = await office.approvalBy('ann', held);
    const challenges = await Promise.all(
      Array.from({ length: 4 }, async () => {
        return String((await pages.post('/sign-in/challenge', {})).json().challenge);
      }),
    );
    const [first = '', second = '', third = '', fourth = ''] = challenges;
    const once = { challenge: fourth, made: ann.signIn.answer(fourth) };
    expect((await pages.post('/sign-in', once)).statusCode).toBe(200);
    const attacks: [words: string, sent: object][] = [
      ['approves, and does not sign in', { challenge: first, made: ann.approval.answer(first) }],
      ['approves, and does not sign in', { challenge: second, made: body.made }],
      ['Nobody in the policy', { challenge: third, made: testPasskey().answer(third) }],
      ['was used before', once],
    ];
    for (const [words, sent] of attacks) {
      const { statusCode, json, cookie } = await pages.post('/sign-in', sent);
      expect([statusCode, cookie]).toEqual([403, '']);
      expect(json().message).toContain(words);
    }
  });
});

type Requesting = { page: () => Steps; refused: string; past: () => Signer; fault: string };
const requests: [what: string, attack: Requesting][] = [
  [
    'by the passkey of somebody who may not request',
    {
      page: () => ({ by: people().ann.approval }),
      refused: 'no passkey of cy that decides',
      past: () => signingBy(people().ann.approval),
      fault: 'The rule out wants a signature of @requesters',
    },
  ],
  [
    'by the passkey that signs in',
    {
      page: () => ({ by: people().cy.signIn }),
      refused: 'no passkey of cy that decides',
      past: () => signingBy(people().cy.signIn),
      fault: 'of nobody in the policy',
    },
  ],
  [
    'by what a sign-in was answered',
    {
      page: () => ({ by: people().cy.approval, how: { challenge: signInChallenge } }),
      refused: unfit,
      past: () => signingBy(people().cy.approval, 'signIn'),
      fault: unfit,
    },
  ],
];

describe('a request', () => {
  /** So little that nobody is asked about it: what is started is paid. */
  const formOf = (id: string) => ({ ...office.moneyOf('0.01'), id, reference: '' });

  test.each(requests)('%s starts nothing, and the worker pays none', async (what, attack) => {
    signInChallenge = (await pages.post('/sign-in/challenge', {})).json().challenge;
    const id = idOf(what.replaceAll(' ', '-'));
    const answer = await requested(pages, own.cy, { ...attack.page(), sent: formOf(id) });
    expect(answer.statusCode).toBe(403);
    expect(answer.json().message).toContain(attack.refused);
    await expect(office.steadfastWith().status(id)).rejects.toThrow('Temporal knows no order');
    const { wallet, ...money } = office.moneyOf('0.01');
    const order = { from: { walletId: wallet }, ...money };
    const past = office.steadfastWith(attack.past());
    const { receipt } = await past.start('transferStablecoin', id, order);
    await expect(receipt()).rejects.toThrow(attack.fault);
  });

  test('is made once, by the session that has filled it in', async () => {
    const id = idOf('once');
    const { path } = (await pages.post('/start/transfer', formOf(id), own.cy)).json();
    const { challenge } = (await pages.post(`${path}/challenge`, {}, own.cy)).json();
    const body = { made: people().cy.approval.answer(challenge) };
    for (const [headers, code] of [
      [{ ...own.cy, 'x-csrf': '' }, 403],
      [{ ...own.cy, 'x-csrf': own.ann['x-csrf'] ?? '' }, 403],
      [own.ann, 403],
      [await pages.signIn(people().cy.signIn), 404],
      [own.cy, 200],
      [own.cy, 404],
    ] as const) {
      expect((await pages.post(path, body, headers)).statusCode).toBe(code);
    }
    wanted.push(10_000);
    expect(await office.ended(id)).toMatchObject({ amount: '0.01' });
  });

  test('shows markup in its reference and in the name of its payee as text', async () => {
    const id = idOf('markup');
    const sent = { ...formOf(id), amount: '0.2', reference: markup };
    const { path } = (await pages.post('/start/transfer', sent, own.cy)).json();
    const draft = await pages.ask(path, { headers: own.cy });
    await requested(pages, own.cy, { sent, by: people().cy.approval });
    await office.untilAsked(id);
    const order = `/orders/${encodeURIComponent(id)}`;
    const paths = ['/approvals', office.pathOf(id), '/orders', order];
    const shown = await Promise.all(paths.map((one) => pages.ask(one, { headers: own.cy })));
    for (const { body } of [draft, ...shown]) expect(body).not.toContain('<img');
    const named = [draft, shown[1], shown[2]].map((page) => page?.body.includes('&lt;img src=x'));
    expect(named).toEqual([true, true, true]);
  });
});

describe('a payout from a file', () => {
  const header = 'lineId,to,amount,token\n';
  const rows = (count: number): string =>
    Array.from({ length: count }, (_, at) => `${at},${office.moneyOf('').to},0.01,USDC\n`).join('');
  const files: [what: string, words: RegExp, text: () => string][] = [
    ['of a giant file', /file: is too large/, () => 'x'.repeat(fileBytesMax + 3)],
    ['of bytes', /june\.csv/, () => '\x00\x01\x02\x03'],
    ['with an open quote', /double quote/, () => `${header}"${'x'.repeat(20_000)}`],
    ['with too many lines', /a page takes 20000/, () => header + rows(20_001)],
    ['with a formula as its amount', /column amount/, () => `${header}a,0x1,=1+1,USDC\n`],
  ];
  test.each(files)('%s is refused in a sentence, and starts nothing', async (_, words, text) => {
    const fields = { id: 'broken', wallets: [office.moneyOf('').wallet] };
    const answer = await pages.post('/start/payout', payoutOf(text(), fields), own.cy);
    expect([400, 413]).toContain(answer.statusCode);
    expect(answer.json().message).toMatch(words);
    await expect(office.steadfastWith().status('payout:broken')).rejects.toThrow('knows no order');
  });

  test('of a body without end is cut off, and the console serves others', async () => {
    const body = payoutOf('x'.repeat(4 * fileBytesMax), { id: 'broken' });
    // The answer may come while the rest of the body is still sent.
    const answer = await pages.post('/start/payout', body, own.cy).catch(() => undefined);
    expect([undefined, 413]).toContain(answer?.statusCode);
    expect((await pages.ask('/start', { headers: own.cy })).statusCode).toBe(200);
  });
});

describe('an invitation', () => {
  const made = (token: string) => {
    const origin = office.origin();
    const passkeys = [testPasskey({ origin }), testPasskey({ origin })] as const;
    const challenge = (field: string) =>
      createHash('sha256').update(`steadfast-enrolment ${field} ${token}`).digest('base64url');
    const [signIn, approval] = passkeys;
    const body = {
      signIn: signIn.made(challenge('signIn')),
      approval: approval.made(challenge('approval')),
    };
    return { signIn, body };
  };
  test('that is used twice, or late, makes nothing, and no passkey of it signs in', async () => {
    const { stdout } = await runCli(
      ['console', 'invite', 'ann', '--no-wait', '--json'],
      office.env(),
    );
    const path = new URL(JSON.parse(stdout).link).pathname;
    const token = path.replace('/enrol/', '');
    const first = made(token);
    expect((await pages.post(path, first.body)).statusCode).toBe(200);
    const late = openInvitations(office.env().STEADFAST_CONSOLE_FILE ?? '', () => anHourAgo);
    const { token: old } = await late.invite('ann');
    await late.close();
    for (const one of [token, old]) {
      const answer = await pages.post(`/enrol/${one}`, made(one).body);
      expect(answer.json().message).toContain('was used, is over, or never was');
      expect((await pages.ask(`/enrol/${one}`)).statusCode).toBe(403);
    }
    const { challenge } = (await pages.post('/sign-in/challenge', {})).json();
    const sent = { challenge, made: first.signIn.answer(challenge) };
    expect((await pages.post('/sign-in', sent)).json().message).toContain('Nobody in the policy');
  });
});

const anHourAgo = Date.now() - 3_600_001;

function ascending(numbers: readonly number[]): number[] {
  return [...numbers].sort((one, other) => one - other);
}
