import { type Question, questionOf } from '../../src/console/approvals/questions';
import type { Signed } from '../../src/orders/input/signed';
import { assertionOf } from '../../src/writer/signing/assertion';
import { readApproval, textOf } from '../../src/writer/signing/statement';
import { deciding } from './approvals/deciding';
import { consoleOffice, payee, statementOf } from './office';

const office = consoleOffice();
const { ann, bo, vi } = office.people;
const path = '/approvals/transfer%3Ainvoice-1';
const target = 'transfer/1#0';

beforeEach(() => {
  office.asks.statement = statementOf('4');
  office.handedIn.length = 0;
});

const { digestShown, decide } = deciding(office, path);

describe('the list of all that waits', () => {
  it('shows what waits for its reader, and no order of another scope', async () => {
    for (const [who, heading] of [
      [ann, '<h2>For you</h2><div'],
      [vi, '<h2>For you</h2><p>Nothing waits for you.'],
    ] as const) {
      const page = await office.ask('/approvals', { headers: await office.signIn(who.signIn) });
      expect(page.body).toContain(heading);
      expect(page.body).toContain('>transfer:invoice-1</a>');
      expect(page.body).not.toContain('other:');
    }
  });

  it('asks for running orders alone, and leads to all of them', async () => {
    const own = await office.signIn(ann.signIn);
    const others = Array.from({ length: 60 }, (_, at) => `other:n-${at}`);
    office.script.waiting = [
      ...others,
      ...Array.from({ length: 60 }, (_, at) => `transfer:n-${at}`),
    ];
    const page = await office.ask('/approvals', { headers: own });
    expect(office.script.listed.at(-1)).toMatchObject({ status: 'NeedsApproval', isRunning: true });
    expect(page.body).toContain('>transfer:n-0</a>');
    expect(page.body).toContain('And 11 more orders wait');
    const older = await office.ask('/approvals?page=2', { headers: own });
    expect(older.body).toContain('>transfer:n-59</a>');
    expect(older.body).not.toContain('more orders wait');
    office.script.waiting = [];
  });

  it('says that it does not know the number of orders, where Temporal lists too many', async () => {
    const own = await office.signIn(ann.signIn);
    office.script.waiting = Array.from({ length: 1_200 }, (_, at) => `transfer:n-${at}`);
    const page = await office.ask('/approvals', { headers: own });
    expect(page.body).toContain('And at least 949 more orders wait');
    office.script.waiting = [];
  });

  it('shows whole addresses, and says where no name is known', async () => {
    const page = await office.ask('/approvals', { headers: await office.signIn(ann.signIn) });
    expect(page.body).toContain(`<b>4 USDC</b> to <code>${payee}</code> <em class="warn">no name`);
  });

  it('tells of an order with a forged statement, and shows all others', async () => {
    office.asks.statement = statementOf('4').replace('transfer:invoice-1', 'transfer:other');
    const page = await office.ask('/approvals', { headers: await office.signIn(ann.signIn) });
    expect(page.statusCode).toBe(200);
    expect(page.body).toContain('the statement is for the order transfer:other');
    const shown = await office.ask(path, { headers: await office.signIn(ann.signIn) });
    expect(shown.statusCode).toBe(400);
    expect(shown.body).not.toContain('data-action="decide"');
  });
});

describe('the page of an order that waits for people', () => {
  it('says in words what is sent, to whom, and that no name is known', async () => {
    const page = await office.ask(path, { headers: await office.signIn(ann.signIn) });
    expect(page.body).toContain(`<b>4 USDC</b> to <code>${payee}</code>`);
    expect(page.body).toContain('no name known');
    expect(page.body).toContain('asks 2 of ann, bo');
  });

  it('shows markup in a text as text, and hidden characters by their numbers', async () => {
    office.asks.waitingFor = 'invoice <img src=x onerror=alert(1)>"\u202e';
    const page = await office.ask(path, { headers: await office.signIn(ann.signIn) });
    expect(page.body).not.toContain('<img');
    expect(page.body).toContain('&lt;img src=x onerror=alert(1)&gt;&quot;\\u202e');
  });

  it('has no buttons for a person whom the rule does not ask', async () => {
    const page = await office.ask(path, { headers: await office.signIn(vi.signIn) });
    expect(page.body).not.toContain('data-action="decide"');
    expect(page.body).toContain('The rule large does not ask vi');
  });

  it('has no buttons where the order has more fields than it shows', async () => {
    const own = await office.signIn(ann.signIn);
    const asked = readApproval(statementOf('4'));
    const fields = Array.from({ length: 1_000 }, (_, at) => [`f${at}`, at]);
    const statement = { ...asked, money: { ...asked.money, ...Object.fromEntries(fields) } };
    office.asks.statement = textOf(statement);
    const page = await office.ask(path, { headers: own });
    expect(page.body).toContain('<dt>f900</dt>');
    expect(page.body).not.toContain('<dt>f999</dt>');
    expect(page.body).not.toContain('data-action="decide"');
    const words = 'The order has more fields than this page shows.';
    expect(page.body).toContain(`${words} With an SSH key:`);
    const { digest } = questionOf({ statement } as Question);
    const shown = { target, digest, purpose: 'approval' };
    const challenge = await office.post(`${path}/challenge`, shown, own);
    expect([challenge.statusCode, challenge.json().message]).toEqual([403, words]);
  });

  it('names the command where the rule wants SSH keys', async () => {
    office.writePolicy(['ann', 'bo', 'vi'], { withKey: 'ssh' });
    const own = await office.signIn(ann.signIn);
    const page = await office.ask(path, { headers: own });
    expect(page.body).not.toContain('data-action="decide"');
    expect(page.body).toContain('The rule large wants an SSH key');
    office.writePolicy(['ann', 'bo', 'vi']);
    const digest = await digestShown(own);
    office.writePolicy(['ann', 'bo', 'vi'], { withKey: 'ssh' });
    const asked = await office.post(
      `${path}/challenge`,
      { target, digest, purpose: 'approval' },
      own,
    );
    expect([asked.statusCode, asked.json().message]).toEqual([
      403,
      'The rule large wants an SSH key.',
    ]);
    office.writePolicy(['ann', 'bo', 'vi']);
  });
});

describe('a decision', () => {
  it.each(['approval', 'rejection'] as const)(
    'is handed in as the %s of its person',
    async (purpose) => {
      const own = await office.signIn(ann.signIn);
      const answer = await decide(own, { purpose });
      expect(answer.json().message).toContain(`Your ${purpose} was handed in`);
      const [{ id, signed } = { id: '', signed: {} }] = office.handedIn;
      expect(id).toBe('transfer:invoice-1');
      const { statement, signature } = signed as Signed;
      expect(statement).toBe(office.asks.statement);
      expect(assertionOf({ statement, signature }, purpose).publicKey).toBe(
        ann.approval.publicKey.split(' ')[1],
      );
    },
  );

  it('stays one of what was shown, though the order asks again with a later end', async () => {
    const before = office.asks.statement;
    const own = await office.signIn(ann.signIn);
    const between = (): void => {
      office.asks.statement = before.replace(/"expires":"[^"]+"/, `"expires":"${later()}"`);
    };
    expect((await decide(own, { between })).statusCode).toBe(200);
    expect(office.handedIn).toMatchObject([{ signed: { statement: before } }]);
  });

  const attacks: [what: string, words: string, how: Parameters<typeof decide>[1]][] = [
    ['by the passkey of another person', 'no passkey of ann that decides', { by: bo.approval }],
    ['by the passkey of the sign-in', 'no passkey of ann that decides', { by: ann.signIn }],
    ['of another purpose than was asked', 'does not fit', { sent: 'rejection' }],
    ['by an answer to a sign-in', 'does not fit', { how: { challenge: 'AAAA' } }],
    ['without a look at the user', 'has not verified its user', { how: { flags: 1 } }],
    [
      'on a statement that has changed since it was shown',
      'asks for something else than this page shows',
      {
        between: () => {
          office.asks.statement = statementOf('5');
        },
      },
    ],
  ];
  it.each(attacks)('%s is not handed in', async (_, words, how) => {
    const answer = await decide(await office.signIn(ann.signIn), how);
    expect(answer.statusCode).toBeGreaterThanOrEqual(400);
    expect(answer.json().message).toContain(words);
    expect(office.handedIn).toEqual([]);
  });

  it('of somebody whom the policy has lost meanwhile is not handed in', async () => {
    const own = await office.signIn(ann.signIn);
    const answer = await decide(own, { between: () => office.writePolicy(['bo', 'vi']) });
    expect(answer.statusCode).toBe(401);
    expect(office.handedIn).toEqual([]);
    office.writePolicy(['ann', 'bo', 'vi']);
  });
});

function later(): string {
  return new Date(Date.now() + 7_200_000).toISOString();
}
