import { randomBytes } from 'node:crypto';
import { conceal } from '../../src/custody/conceal';

const body = '9f2c4b7a61d8e035:5d0e8b3f7a92c146';
const apiKey = `TEST_API_KEY:${body}`;
const ciphertext = randomBytes(512).toString('base64');
const secrets = [apiKey, ciphertext];
const base64 = (text: string): string => Buffer.from(text).toString('base64');

describe('a text that repeats a secret', () => {
  it.each([
    ['as it is', `authorization: Bearer ${apiKey}, host: x`],
    ['as base64', `authorization: Bearer ${base64(apiKey)}`],
    ['as base64 of more', `{"headers":"${base64(`x-authorization: Bearer ${apiKey}`)}"}`],
    ['as base64 of still more', base64(`xx-authorization: Bearer ${apiKey}.`)],
    ['as hex', Buffer.from(apiKey).toString('hex')],
    ['as HEX', Buffer.from(apiKey).toString('hex').toUpperCase()],
    ['in a URL', `/login?key=${encodeURIComponent(apiKey)}&next=1`],
    ['cut off', `Bearer ${apiKey.slice(0, 40)}`],
    ['from its middle on', `…${apiKey.slice(-14)}`],
    ['as the ciphertext', `{"entitySecretCiphertext":"${ciphertext}"}`],
    ['as a piece of the ciphertext', ciphertext.slice(300, 330)],
  ])('%s shows nothing of it', (_how, text) => {
    const shown = conceal(text, secrets);
    expect(shown).toContain('<secret>');
    for (const known of [body, base64(body), Buffer.from(body).toString('hex'), ciphertext]) {
      for (let at = 0; at + 12 <= known.length; at++) {
        expect(shown.toLowerCase()).not.toContain(known.slice(at, at + 12).toLowerCase());
      }
    }
  });

  it('keeps all that is no secret', () => {
    expect(conceal(`key ${apiKey} is unknown, ${apiKey}.`, secrets)).toBe(
      'key TEST_API_KEY:<secret> is unknown, TEST_API_KEY:<secret>.',
    );
    const sentence = 'CUSTODY_API_KEY: must be TEST_API_KEY:<id>:<secret>, or the base64 of it.';
    expect(conceal(sentence, secrets)).toBe(sentence);
  });

  it('shows neither form of a key that was given as base64', () => {
    expect(conceal(`${base64(apiKey)} is ${apiKey}`, [base64(apiKey)])).toBe(
      '<secret> is TEST_API_KEY:<secret>',
    );
  });
});
