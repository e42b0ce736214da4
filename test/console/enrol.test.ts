import { createHash } from 'node:crypto';
import { digitsOf } from '../../src/console/invite/digits';
import { openInvitations } from '../../src/console/invite/invitations';
import { consoleOrigin, type Touch, testPasskey } from '../writer/signing/passkeys';
import { consoleOffice } from './office';

const office = consoleOffice();

/** Both passkeys, as the page of an invitation makes them. */
function passkeysFor(token: string, how: Touch = {}) {
  const [signIn, approval] = [testPasskey(), testPasskey()];
  const challenge = (field: string) =>
    createHash('sha256').update(`steadfast-enrolment ${field} ${token}`).digest('base64url');
  return {
    lines: { signIn: signIn.publicKey, approval: approval.publicKey },
    body: {
      signIn: signIn.made(challenge('signIn'), how),
      approval: approval.made(challenge('approval'), how),
    },
  };
}

describe('an invitation', () => {
  it('shows its page as often as somebody looks, and makes two passkeys once', async () => {
    const { token } = await office.invitations.invite('cy');
    for (const _ of ['a preview', 'its person']) {
      const page = await office.ask(`/enrol/${token}`);
      expect(page.body).toContain('Passkeys of cy');
    }
    const { lines, body } = passkeysFor(token);
    const made = await office.post(`/enrol/${token}`, body);
    expect(made.json()).toEqual({ digits: digitsOf(lines) });
    expect(await office.invitations.find(token)).toMatchObject({ person: 'cy', made: lines });
    const again = await office.post(`/enrol/${token}`, passkeysFor(token).body);
    expect(again.statusCode).toBe(403);
    expect(again.json().message).toContain('This invitation was used, is over, or never was');
    expect((await office.invitations.find(token))?.made).toEqual(lines);
  });

  it('that nobody has made is refused', async () => {
    const token = 'x'.repeat(43);
    expect((await office.ask(`/enrol/${token}`)).statusCode).toBe(403);
    expect((await office.post(`/enrol/${token}`, passkeysFor(token).body)).statusCode).toBe(403);
  });

  it('that is late makes nothing', async () => {
    const clock = { ms: Date.now() };
    const invitations = openInvitations(':memory:', () => clock.ms);
    const { token } = await invitations.invite('cy');
    clock.ms += 3_600_000;
    expect(await invitations.use(token, passkeysFor(token).lines)).toBe(false);
  });

  it('that is late is refused at its page, which makes nothing either', async () => {
    const { token } = await office.invitations.invite('cy');
    const lateMs = Date.now() + 3_600_001;
    const clock = jest.spyOn(Date, 'now').mockReturnValue(lateMs);
    expect((await office.ask(`/enrol/${token}`)).statusCode).toBe(403);
    const late = await office.post(`/enrol/${token}`, passkeysFor(token).body);
    clock.mockRestore();
    expect([late.statusCode, late.json().message]).toEqual([
      403,
      'This invitation was used, is over, or never was. Ask for another one.',
    ]);
    expect((await office.invitations.find(token))?.made).toBeUndefined();
  });

  const faulty: [what: string, words: string, how: Touch][] = [
    ['of another page', 'It is for https://evil.example', { origin: 'https://evil.example' }],
    ['without a look at the user', 'has not verified its user', { flags: 1 }],
    ['of an assertion', 'not webauthn.create', { type: 'webauthn.get' }],
    ['in a frame', 'inside another one', { crossOrigin: true }],
    ['of another relying party', 'another relying party', { rpId: 'example.org' }],
  ];
  it.each(faulty)('takes no passkey %s, and can be used after that', async (_, words, how) => {
    const { token } = await office.invitations.invite('cy');
    const refused = await office.post(`/enrol/${token}`, passkeysFor(token, how).body);
    expect(refused.statusCode).toBe(400);
    expect(refused.json().message).toContain(words);
    expect((await office.post(`/enrol/${token}`, passkeysFor(token).body)).statusCode).toBe(200);
  });

  it('takes no passkeys that were made for another invitation', async () => {
    const [one, other] = [
      await office.invitations.invite('cy'),
      await office.invitations.invite('dee'),
    ];
    const refused = await office.post(`/enrol/${one.token}`, passkeysFor(other.token).body);
    expect(refused.json().message).toContain('does not fit');
  });

  it('takes one passkey for both uses from nobody', async () => {
    const { token } = await office.invitations.invite('cy');
    const { body } = passkeysFor(token);
    const { credentialId, publicKey } = body.signIn;
    const one = { ...body, approval: { ...body.approval, credentialId, publicKey } };
    const refused = await office.post(`/enrol/${token}`, one);
    expect(refused.json().message).toContain('Both passkeys are one');
  });

  it('prints lines that name the console', async () => {
    const { lines } = passkeysFor('x');
    expect(lines.signIn).toContain(` ${consoleOrigin} `);
  });
});
