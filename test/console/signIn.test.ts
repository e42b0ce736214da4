import { testPasskey } from '../writer/signing/passkeys';
import { consoleOffice } from './office';

const office = consoleOffice();
const { ann } = office.people;

/** Signs in with changes, and returns the answer. */
async function signInWith(
  change: (challenge: string) => object = (challenge) => ann.signIn.answer(challenge),
) {
  const { challenge } = (await office.post('/sign-in/challenge', {})).json();
  return office.post('/sign-in', { challenge, made: change(challenge) });
}

describe('a sign-in', () => {
  it('by the passkey of a person opens a session in a strict cookie', async () => {
    const answer = await signInWith();
    expect(answer.json()).toEqual({ person: 'ann' });
    expect(answer.headers['set-cookie']).toMatch(
      /^__Host-steadfast=[\w-]{43}; Max-Age=3600; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
    );
    const page = await office.ask('/approvals', { headers: await office.signIn(ann.signIn) });
    expect(page.statusCode).toBe(200);
    expect(page.headers['content-security-policy']).toContain("default-src 'none'");
  });

  const attacks: [what: string, words: string, made: (challenge: string) => object][] = [
    ['by the passkey of a stranger', 'Nobody in the policy', (c) => testPasskey().answer(c)],
    ['by a passkey that approves', 'This passkey approves', (c) => ann.approval.answer(c)],
    [
      'by an answer to another challenge',
      'does not fit the statement and the purpose',
      () => ann.signIn.answer('AAAA'),
    ],
    [
      'on another page',
      'not for https://console.example.com',
      (c) => ann.signIn.answer(c, { origin: 'https://console.example.com' }),
    ],
    [
      'without a look at the user',
      'has not verified its user',
      (c) => ann.signIn.answer(c, { flags: 1 }),
    ],
    [
      'by the passkey of one person with the id of another',
      'does not fit its key',
      (c) => {
        const { credentialId } = office.people.bo.signIn.answer(c);
        return { ...ann.signIn.answer(c), credentialId };
      },
    ],
  ];
  it.each(attacks)('%s opens none', async (_, words, made) => {
    const answer = await signInWith(made);
    expect(answer.statusCode).toBe(403);
    expect(answer.json().message).toContain(words);
    expect(answer.headers['set-cookie']).toBeUndefined();
  });

  it('that was used before opens none', async () => {
    const { challenge } = (await office.post('/sign-in/challenge', {})).json();
    const body = { challenge, made: ann.signIn.answer(challenge) };
    expect((await office.post('/sign-in', body)).statusCode).toBe(200);
    const again = await office.post('/sign-in', body);
    expect(again.statusCode).toBe(403);
    expect(again.json().message).toContain('was used before, or took too long');
  });

  it('is counted: too many attempts of one address wait', async () => {
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 40; attempt++) {
      statuses.push((await office.post('/sign-in/challenge', {})).statusCode);
    }
    expect(statuses.at(-1)).toBe(429);
    const other = await office.post('/sign-in/challenge', {}, { 'x-forwarded-for': '203.0.113.7' });
    expect(other.statusCode).toBe(200);
  });
});
