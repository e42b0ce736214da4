import { createCustodyClient } from '../../src/custody/client';
import { RefusedError, UnexpectedAnswerError } from '../../src/custody/errors';
import { setUp } from '../support/jest/setUp';
import { type Reply, startServer } from './server';

const apiKey = 'TEST_API_KEY:an-id:a-secret';
const entitySecret = 'c0ffee'.repeat(10).padEnd(64, '0');
const id = '0b9a2f5e-3d1c-4a7b-8e60-5f4d3c2b1a09';

let reply: (request: { headers: object; body: string }) => Reply;

const server = setUp(() => startServer((request) => reply(request)));

describe('an answer that is not the interface', () => {
  it.each<[string, Reply, string]>([
    [
      'a redirection',
      { status: 301, headers: { location: '/' } },
      'getTransaction was answered with 301. Expected {code, message}, got an empty body.',
    ],
    [
      'a page of a proxy',
      { status: 502, body: '<html>Bad Gateway</html>' },
      'getTransaction was answered with 502. Expected {code, message}, got <html>Bad Gateway</html>.',
    ],
    [
      'a refusal without a code',
      { status: 400, body: '{"message":"no"}' },
      'getTransaction was answered with 400. Expected {code, message}, got {"message":"no"}.',
    ],
    [
      'a refusal with a code in quotes',
      { status: 400, body: '{"code":"2","message":"no"}' },
      'getTransaction was answered with 400. Expected {code, message}, got {"code":"2","message":"no"}.',
    ],
    [
      'a page that says it is well',
      { status: 200, body: '<html>Welcome</html>' },
      'The answer to getTransaction is not the interface. Expected transaction, got ' +
        '<html>Welcome</html> (the body: Invalid input: expected object, received undefined).',
    ],
    [
      'an empty body',
      { status: 200 },
      'The answer to getTransaction is not the interface. Expected transaction, got an empty ' +
        'body (transaction: Invalid input: expected object, received undefined).',
    ],
    [
      'another record',
      { status: 200, body: '{"data":{"wallet":{}}}' },
      'The answer to getTransaction is not the interface. Expected transaction, got ' +
        '{"data":{"wallet":{}}} (transaction: Invalid input: expected object, received undefined).',
    ],
    [
      'a list',
      { status: 200, body: '{"data":[]}' },
      'The answer to getTransaction is not the interface. Expected transaction, got {"data":[]} ' +
        '(the body: Invalid input: expected object, received array).',
    ],
  ])('says what was expected and what came, for %s', async (_what, once, message) => {
    reply = () => once;
    const error = await failed();
    expect(error).toBeInstanceOf(UnexpectedAnswerError);
    expect(error.message).toBe(message);
  });

  it('shows no more than the start of a long page', async () => {
    reply = () => ({ status: 500, body: 'x'.repeat(10_000) });
    expect((await failed()).message).toBe(
      `getTransaction was answered with 500. Expected {code, message}, got ${'x'.repeat(200)}….`,
    );
  });

  it('keeps its status and the time after which to try again', async () => {
    reply = () => ({ status: 503, headers: { 'retry-after': '7' }, body: 'busy' });
    expect(await failed()).toMatchObject({ status: 503, retryAfterMs: 7_000 });
  });
});

describe('a refusal', () => {
  it('has the words, the status and the code of the service', async () => {
    reply = () => ({
      status: 404,
      body: '{"code":156003,"message":"Cannot find target transaction in the system"}',
    });
    const error = await failed();
    expect(error).toBeInstanceOf(RefusedError);
    expect(error).toMatchObject({ status: 404, code: 156003, retryAfterMs: undefined });
    expect(error.message).toBe(
      'getTransaction was answered with 404, code 156003: ' +
        'Cannot find target transaction in the system',
    );
  });

  it.each([
    ['seconds', '30', 30_000],
    ['no seconds at all', '0', 0],
    ['a day, which is cut to ten minutes', '86400', 600_000],
    ['a date that has passed', 'Thu, 01 Jan 1970 00:00:00 GMT', 0],
    ['a date next century, which is cut to ten minutes', 'Fri, 01 Jan 2100 00:00:00 GMT', 600_000],
    ['words, which say nothing', 'soon', undefined],
  ])('has Retry-After in milliseconds, given as %s', async (_what, header, retryAfterMs) => {
    reply = () => limited(header);
    expect(await failed()).toMatchObject({ status: 429, code: 429, retryAfterMs });
  });

  it('has Retry-After in milliseconds, given as a date', async () => {
    jest.spyOn(Date, 'now').mockReturnValue(Date.parse('2026-01-01T00:00:00Z'));
    reply = () => limited('Thu, 01 Jan 2026 00:01:00 GMT');
    expect(await failed()).toMatchObject({ status: 429, retryAfterMs: 60_000 });
    jest.restoreAllMocks();
  });
});

describe('secrets', () => {
  it.each<[string, typeof reply]>([
    ['the headers of a request', ({ headers }) => ({ status: 400, body: JSON.stringify(headers) })],
    [
      'the API key in a refusal',
      () => ({ status: 401, body: JSON.stringify({ code: 156007, message: `No key ${apiKey}` }) }),
    ],
    ['the API key as an answer', () => ({ status: 200, body: apiKey })],
  ])('stay out of messages even when the service repeats %s', async (_what, repeat) => {
    reply = repeat;
    const { message } = await failed();
    expect(message).toMatch(/400|401|interface/);
    expect(message).not.toContain('a-secret');
  });

  it('stay out of a record that repeats them', async () => {
    const odd = 'TEST_API_KEY:an"id:a\\secret';
    reply = ({ headers }) => ({ body: JSON.stringify({ message: JSON.stringify(headers) }) });
    const options = { baseUrl: `${server.origin}/v1/w3s`, apiKey, entitySecret };
    const { message } = await createCustodyClient(options).ping({});
    expect(message).toContain('Bearer <secret>');
    reply = () => ({ body: JSON.stringify({ message: odd }) });
    await expect(createCustodyClient({ ...options, apiKey: odd }).ping({})).resolves.toEqual({
      message: '<secret>',
    });
  });

  it('stay out of every error when nothing goes well', async () => {
    const replies: Reply[] = ['silence', 'reset', 'half', { status: 500 }, { status: 200 }];
    const texts: string[] = [];
    for (const once of replies) {
      reply = () => once;
      const error = await failed(once === 'silence' ? 200 : undefined);
      texts.push(JSON.stringify([error, error.message, error.stack, String(error.cause)]));
    }
    expect(texts).toHaveLength(replies.length);
    expect(
      texts.filter((text) => text.includes('a-secret') || text.includes(entitySecret)),
    ).toEqual([]);
  });
});

function limited(retryAfter: string): Reply {
  return {
    status: 429,
    headers: { 'retry-after': retryAfter },
    body: '{"code":429,"message":"Too many requests."}',
  };
}

/** The error of one call. The default deadline is too long for a busy machine to reach. */
async function failed(deadlineMs = 10_000): Promise<Error> {
  const options = { baseUrl: `${server.origin}/v1/w3s`, apiKey, entitySecret, deadlineMs };
  return createCustodyClient(options)
    .getTransaction({ id })
    .then(
      () => {
        throw new Error('The call has succeeded.');
      },
      (error) => error,
    );
}
