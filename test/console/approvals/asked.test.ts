import { consoleOffice, statementOf } from '../office';
import { deciding } from './deciding';

const office = consoleOffice();
const { ann, bo, vi } = office.people;
const everybody = ['ann', 'bo', 'vi'] as const;
const { decide, digestShown } = deciding(office, '/approvals/transfer%3Ainvoice-1');

beforeEach(() => {
  office.asks.statement = statementOf('4');
  office.asks.people = ['ann', 'bo'];
  office.handedIn.length = 0;
  office.writePolicy(everybody);
});

/** The digest that a person saw while the rule asked them. */
async function digestOfPage(): Promise<string> {
  return digestShown(await office.signIn(bo.signIn));
}

describe('somebody whom the order does not ask', () => {
  it('gets no challenge: a requester, who never approves', async () => {
    office.asks.people = ['bo'];
    const digest = await digestOfPage();
    const answer = await decide(await office.signIn(ann.signIn), { digest });
    expect(answer.statusCode).toBe(403);
    expect(answer.json().message).toContain('The order asks bo, and not ann.');
    expect(answer.json().message).not.toContain('has requested it');
  });

  it('gets no challenge: a person outside the group', async () => {
    const digest = await digestOfPage();
    const answer = await decide(await office.signIn(vi.signIn), { digest, by: vi.approval });
    expect([answer.statusCode, answer.json().message]).toEqual([
      403,
      'The rule large does not ask vi.',
    ]);
  });

  const changes: [what: string, change: { [field in string]?: unknown }, words: string][] = [
    ['was taken out of the group', { treasurers: ['ann'] as const }, 'does not ask bo'],
    ['is asked by a rule that is gone', { rule: 'other' }, 'has no rule large any more'],
    ['is asked for an SSH key now', { withKey: 'ssh' }, 'wants an SSH key'],
  ];
  it.each(changes)(
    'decides nothing, though they were asked before: who %s',
    async (_, change, words) => {
      const own = await office.signIn(bo.signIn);
      const digest = await digestOfPage();
      office.writePolicy(everybody, change);
      const asked = await decide(own, { digest, by: bo.approval });
      expect([asked.statusCode, asked.json().message]).toEqual([
        403,
        expect.stringContaining(words),
      ]);
      const page = await office.ask('/approvals', { headers: own });
      expect(page.body.includes('Nothing waits for you')).toBe(change.withKey === undefined);
      office.writePolicy(everybody);
      const between = (): void => office.writePolicy(everybody, change);
      const answered = await decide(own, { digest, by: bo.approval, between });
      expect([answered.statusCode, answered.json().message]).toEqual([
        403,
        expect.stringContaining(words),
      ]);
      expect(office.handedIn).toEqual([]);
    },
  );

  it('decides once they are in the group, where they request nothing', async () => {
    office.writePolicy(everybody, { requesters: ['vi'] });
    office.asks.people = ['bo'];
    const answer = await decide(await office.signIn(ann.signIn));
    expect(answer.statusCode).toBe(200);
  });
});

it('a decision that is to count for longer than the order asks is not handed in', async () => {
  const own = await office.signIn(ann.signIn);
  const between = (): void => {
    office.asks.statement = office.asks.statement.replace(
      /"expires":"[^"]+"/,
      `"expires":"${new Date(Date.now() + 60_000).toISOString()}"`,
    );
  };
  const answer = await decide(own, { between });
  expect(answer.statusCode).toBe(409);
  expect(office.handedIn).toEqual([]);
});

it('a decision that is to count for longer than its rule allows is not signed', async () => {
  const own = await office.signIn(ann.signIn);
  const digest = await digestShown(own);
  const endAfter = (ms: number): void => {
    const expires = new Date(Date.now() + ms).toISOString();
    office.asks.statement = office.asks.statement.replace(
      /"expires":"[^"]+"/,
      `"expires":"${expires}"`,
    );
  };
  endAfter(48 * 3_600_000 + 120_000);
  const answer = await decide(own, { digest });
  expect([answer.statusCode, answer.json().message]).toEqual([
    409,
    expect.stringContaining(
      'is more than 48 hours away, which are all that the rule large allows.',
    ),
  ]);
  endAfter(48 * 3_600_000);
  expect((await decide(own, { digest })).statusCode).toBe(200);
});

test.each(['', ' '])('a rejection with the reason "%s" is not handed in', async (reason) => {
  const answer = await decide(await office.signIn(ann.signIn), { purpose: 'rejection', reason });
  expect([answer.statusCode, answer.json().message]).toEqual([
    400,
    'reason: is missing. Give the reason why you reject it. Nothing was done.',
  ]);
  expect(office.handedIn).toEqual([]);
});

test('somebody who has approved it does so once, and may still reject it', async () => {
  const own = await office.signIn(ann.signIn);
  const digest = await digestShown(own);
  office.asks.given = ['ann'];
  const again = await decide(own, { digest });
  expect([again.statusCode, again.json().message]).toEqual([
    409,
    'ann has approved it before, and counts once.',
  ]);
  const rejection = await decide(own, { digest, purpose: 'rejection' });
  expect(rejection.statusCode).toBe(200);
  office.asks.given = [];
});

test('two people decide at once: the approval and the rejection are both handed in', async () => {
  const [own, other] = [await office.signIn(ann.signIn), await office.signIn(bo.signIn)];
  const answers = await Promise.all([
    decide(own),
    decide(other, { purpose: 'rejection', by: bo.approval }),
  ]);
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200]);
  const messages = answers.map((answer) => answer.json().message);
  expect(messages[0]).toContain('Your approval was handed in');
  expect(messages[1]).toContain('Your rejection was handed in');
  expect(office.handedIn).toHaveLength(2);
});
