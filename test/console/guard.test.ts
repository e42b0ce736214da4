import { consoleOffice } from './office';

const office = consoleOffice();
const { ann, vi } = office.people;
const path = '/approvals/transfer%3Ainvoice-1/challenge';
const body = { target: 'transfer/1#0', digest: 'a'.repeat(64), purpose: 'approval' };

describe('the console refuses', () => {
  it('a stranger: a page leads to the sign-in, and a change is not made', async () => {
    const page = await office.ask('/approvals');
    expect([page.statusCode, page.headers.location]).toEqual([303, '/sign-in']);
    expect((await office.post(path, body)).statusCode).toBe(401);
  });

  it('a change that another page has sent', async () => {
    const own = await office.signIn(ann.signIn);
    for (const origin of ['https://evil.example', 'null']) {
      const answer = await office.post(path, body, { ...own, origin });
      expect(answer.statusCode).toBe(403);
      expect(answer.json().message).toContain('Another page has sent this');
    }
  });

  it('a change without the token of its session, and with the token of another one', async () => {
    const own = await office.signIn(ann.signIn);
    const other = await office.signIn(vi.signIn);
    for (const token of ['', 'forged', other['x-csrf'] ?? '']) {
      const answer = await office.post(path, body, { ...own, 'x-csrf': token });
      expect(answer.statusCode).toBe(403);
      expect(answer.json().message).toContain('This page is of another session');
    }
  });

  it('another host, as a name that leads to this machine', async () => {
    const answer = await office.ask('/sign-in', { headers: { host: 'evil.example' } });
    expect(answer.statusCode).toBe(421);
  });

  it('somebody who has left the policy, at once', async () => {
    const own = await office.signIn(vi.signIn);
    expect((await office.ask('/approvals', { headers: own })).statusCode).toBe(200);
    office.writePolicy(['ann', 'bo']);
    expect((await office.ask('/approvals', { headers: own })).statusCode).toBe(303);
    office.writePolicy(['ann', 'bo', 'vi']);
  });

  it('a session that was ended', async () => {
    const own = await office.signIn(ann.signIn);
    const out = await office.ask('/sign-out', {
      method: 'POST',
      payload: `csrf=${own['x-csrf']}`,
      headers: { ...own, 'content-type': 'application/x-www-form-urlencoded', 'x-csrf': '' },
    });
    // The empty header is no token: the form has it.
    expect(out.statusCode).toBe(403);
    const { 'x-csrf': token, ...cookie } = own;
    const ended = await office.ask('/sign-out', {
      method: 'POST',
      payload: `csrf=${token}`,
      headers: { ...cookie, 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect(ended.statusCode).toBe(303);
    expect((await office.ask('/approvals', { headers: cookie })).statusCode).toBe(303);
  });
});

test('the first load of a page has at most 100 kB, and nothing of it is from elsewhere', async () => {
  const own = await office.signIn(ann.signIn);
  const parts = ['/approvals/transfer%3Ainvoice-1', '/console.css', '/console.js'];
  const loaded = await Promise.all(parts.map((part) => office.ask(part, { headers: own })));
  expect(loaded.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200]);
  const bytes = loaded.reduce((sum, { rawPayload }) => sum + rawPayload.length, 0);
  expect(bytes).toBeLessThan(100_000);
  expect(loaded[0]?.body).not.toMatch(/(src|href)="(https?:)?\/\//);
});
