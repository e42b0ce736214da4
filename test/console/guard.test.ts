import { writeFileSync } from 'node:fs';
import { log } from '../../src/log';
import { testPasskey } from '../writer/signing/passkeys';
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

  it('a session whose passkey the policy has lost, though it has its person', async () => {
    const own = await office.signIn(ann.signIn);
    const { signIn } = ann;
    ann.signIn = testPasskey();
    office.writePolicy(['ann', 'bo', 'vi']);
    expect((await office.ask('/approvals', { headers: own })).statusCode).toBe(303);
    expect((await office.post(path, body, own)).json().message).toContain('no such passkey of ann');
    ann.signIn = signIn;
    office.writePolicy(['ann', 'bo', 'vi']);
  });

  it('everybody while the policy has a fault, and tells strangers no word of it', async () => {
    const logged = jest.spyOn(log, 'error').mockImplementation(() => {});
    const { challenge } = (await office.post('/sign-in/challenge', {})).json();
    writeFileSync(office.policyFile, '{"version": 1, "secretRule": []}');
    const sent = { challenge, made: ann.signIn.answer(challenge) };
    const answer = await office.post('/sign-in', sent);
    expect([answer.statusCode, answer.json().message]).toEqual([
      503,
      'The policy cannot be used now. The log of the console says why.',
    ]);
    await office.post('/sign-in', sent);
    expect(logged).toHaveBeenCalledTimes(1);
    expect(String(logged.mock.calls[0]?.[0])).toContain('secretRule');
    logged.mockRestore();
    office.writePolicy(['ann', 'bo', 'vi']);
  });

  it('strangers who ask too often, and nobody who has signed in at the same address', async () => {
    const address = { 'x-forwarded-for': '198.51.100.1' };
    const own = { ...(await office.signIn(ann.signIn)), ...address };
    const statuses: number[] = [];
    for (let at = 0; at < 601; at++) {
      statuses.push((await office.ask('/sign-in', { headers: address })).statusCode);
    }
    expect(statuses.slice(-2)).toEqual([200, 429]);
    for (let at = 0; at < 601; at++) {
      statuses.push((await office.ask('/console.css', { headers: own })).statusCode);
    }
    // The page after the sign-in has spent a request.
    expect(statuses.slice(-3)).toEqual([200, 429, 429]);
    const other = { ...(await office.signIn(vi.signIn)), ...address };
    expect((await office.ask('/approvals', { headers: other })).statusCode).toBe(200);
  });

  it('a page that there is not, as a page, and shows orders whose ids are long', async () => {
    const own = await office.signIn(ann.signIn);
    const page = await office.ask('/nothing', { headers: own });
    expect(page.statusCode).toBe(404);
    expect(page.body).toContain('There is no such page.');
    expect(page.headers['content-type']).toContain('text/html');
    const long = `/orders/${encodeURIComponent(`transfer:${'ü'.repeat(290)}`)}`;
    expect((await office.ask(long, { headers: own })).statusCode).toBe(200);
    expect((await office.ask('/nothing')).headers.location).toBe('/sign-in');
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

test('the log says who has changed what, and what became of it', async () => {
  const logged = jest.spyOn(log, 'info').mockImplementation(() => {});
  const own = await office.signIn(ann.signIn);
  await office.ask('/orders', { headers: own });
  await office.post('/orders/transfer%3Ainvoice-1/resume', {}, own);
  await office.post('/orders/transfer%3Ainvoice-1/pause', {}, own);
  const path = '/orders/transfer%3Ainvoice-1';
  expect(logged.mock.calls).toEqual([
    [{ person: 'ann', path: `${path}/resume`, status: 200 }, 'A person has asked for a change.'],
    [{ person: 'ann', path: `${path}/pause`, status: 400 }, 'A person has asked for a change.'],
  ]);
  logged.mockRestore();
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
