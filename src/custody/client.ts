import { type KeyObject, randomUUID } from 'node:crypto';
import { Agent } from 'undici';
import { readAnswer, readLinks, readRetryAfter, type WireAnswer } from './answer';
import { concealWhole } from './conceal';
import {
  type CallOptions,
  type CustodyApi,
  type Endpoint,
  type EndpointName,
  endpointNames,
  endpoints,
} from './endpoints';
import { encryptEntitySecret, publicKeySha256, readPublicKey } from './entitySecret';
import { NoAnswerError, NotSentError, RefusedError, WithheldError } from './errors';
import { secretInvalidCodes } from './outcome';

export type CustodyClientOptions = {
  /** As in the interface document, such as https://api.circle.com/v1/w3s. */
  baseUrl: string;
  /** PREFIX:ID:SECRET or its base64. It is sent as a bearer token. */
  apiKey: string;
  /** 64 hex characters. It is only sent encrypted. A client that only reads needs none. */
  entitySecret?: string | undefined;
  /** SHA-256 of the service's public key, in hex. The secret is encrypted for no other key. */
  publicKeySha256?: string | undefined;
  /** From the first byte sent to the last byte read. */
  deadlineMs?: number;
  /** Hears the service's own time, the header `Date`, of each answer. */
  heard?: (date: string) => void;
};

const bodyBytesMax = 8 * 1024 * 1024;
const deadlineDefaultMs = 10_000;

/** Codes of undici and the system that are raised before a request is on its way. */
const notSentCodes: readonly string[] = [
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENETUNREACH',
  'EHOSTUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
];

/**
 * The custody service over HTTP. Each call is one try with one deadline, and returns the parsed
 * answer or throws a CustodyError. It never retries: that is for Temporal to do.
 */
export function createCustodyClient(options: CustodyClientOptions): CustodyApi {
  const agent = new Agent({ connect: { timeout: 5_000 }, maxResponseSize: bodyBytesMax });
  const { entitySecret } = options;
  let publicKey: Promise<KeyObject> | undefined;

  const call = async (
    name: EndpointName,
    input: Record<string, unknown>,
    callOptions: CallOptions = {},
  ): Promise<unknown> => {
    const endpoint: Endpoint = endpoints[name];
    // One deadline over all of it: a signed call may have to fetch the public key first.
    const deadline = AbortSignal.timeout(options.deadlineMs ?? deadlineDefaultMs);
    const signal = callOptions.signal ? AbortSignal.any([callOptions.signal, deadline]) : deadline;
    const signature = endpoint.signed ? await sign({ signal }) : {};
    const values: Record<string, unknown> = { ...input, ...signature };
    const secrets = [options.apiKey, ...(entitySecret ? [entitySecret] : [])];
    // Also where it is the input itself: to be registered.
    const { entitySecretCiphertext } = values;
    if (typeof entitySecretCiphertext === 'string') secrets.push(entitySecretCiphertext);
    const { requestId = randomUUID(), traceparent } = callOptions;
    const sending = { signal, requestId, traceparent, name, endpoint, values, secrets };
    const answer = await send(agent, { ...options, ...sending });
    const read = readAnswer(name, answer, { ...endpoint, salvage: callOptions.salvage });
    if (answer.links !== undefined) callOptions.paged?.(answer.links);
    return read;
  };

  const sign = async (callOptions: CallOptions): Promise<Record<string, string>> => {
    if (entitySecret === undefined) {
      throw new NotSentError('There is no entity secret to sign with.');
    }
    publicKey ??= fetchPublicKey(callOptions);
    const key = await publicKey;
    return { entitySecretCiphertext: encryptEntitySecret(entitySecret, key) };
  };

  const fetchPublicKey = async (callOptions: CallOptions): Promise<KeyObject> => {
    try {
      const key = readPublicKey((await api.getPublicKey({}, callOptions)).publicKey);
      refuseOtherKey(key, options.publicKeySha256);
      return key;
    } catch (error) {
      publicKey = undefined;
      if (error instanceof WithheldError) throw error;
      // The signed call that needs the key has not been sent. If the service refuses the API key
      // here, it refuses that call too. Any other trouble says nothing about the call.
      if (error instanceof RefusedError && error.status < 500) throw error;
      throw new NotSentError(`The public key could not be read: ${messageOf(error)}`, {
        cause: error,
      });
    }
  };

  const forgetKeyWhenRefused = (error: unknown): never => {
    if (error instanceof RefusedError && secretInvalidCodes.includes(error.code)) {
      publicKey = undefined;
    }
    throw error;
  };

  const methods = endpointNames.map((name) => [
    name,
    (input: Record<string, unknown>, callOptions?: CallOptions) =>
      call(name, input, callOptions).catch(forgetKeyWhenRefused),
  ]);
  const api = Object.fromEntries(methods) as CustodyApi;
  return api;
}

/** A service that is not the expected one must not get the secret. */
function refuseOtherKey(key: KeyObject, expected: string | undefined): void {
  const digest = publicKeySha256(key);
  if (expected === undefined || digest === expected) return;
  throw new WithheldError(
    `The service's public key has the SHA-256 ${digest}, and CUSTODY_PUBLIC_KEY_SHA256 is ` +
      `${expected}. Nothing was sent. Find out why the key has changed before you change the digest.`,
    { next: 'operator' },
  );
}

type Sending = {
  signal: AbortSignal;
  requestId: string;
  traceparent: string | undefined;
  name: EndpointName;
  endpoint: Endpoint;
  values: Record<string, unknown>;
  baseUrl: string;
  apiKey: string;
  secrets: readonly string[];
  heard?: ((date: string) => void) | undefined;
};

async function send(agent: Agent, sending: Sending): Promise<WireAnswer> {
  const { url, body } = address(sending);
  const { signal } = sending;
  try {
    const response = await agent.request({
      origin: url.origin,
      path: url.pathname + url.search,
      method: sending.endpoint.method,
      headers: {
        authorization: `Bearer ${sending.apiKey}`,
        accept: 'application/json',
        'user-agent': 'steadfast',
        'x-request-id': sending.requestId,
        ...(sending.traceparent === undefined ? {} : { traceparent: sending.traceparent }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal,
    });
    const { date } = response.headers;
    if (typeof date === 'string') sending.heard?.(date);
    return {
      status: response.statusCode,
      body: concealWhole(await response.body.text(), sending.secrets),
      retryAfterMs: readRetryAfter(response.headers['retry-after']),
      links: readLinks(response.headers.link),
      secrets: sending.secrets,
      requestId: requestIdOf(response.headers['x-request-id'], sending),
    };
  } catch (error) {
    throw notAnswered(sending, error);
  }
}

/** The service's own id for the call, where it has another one. */
function requestIdOf(header: string | string[] | undefined, { requestId }: Sending): string {
  return typeof header === 'string' && /^[\w.-]{1,128}$/.test(header) ? header : requestId;
}

/** Fills ':id' into the path. The rest becomes the query of a GET, or else the body. */
function address(sending: Sending): { url: URL; body?: Record<string, unknown> } {
  const { endpoint, baseUrl } = sending;
  const rest = { ...sending.values };
  const path = endpoint.path.replace(/:(\w+)/g, (_, key: string) => {
    const value = encodeURIComponent(String(rest[key]));
    delete rest[key];
    return value;
  });
  const root = endpoint.root === 'base' ? baseUrl.replace(/\/+$/, '') : new URL(baseUrl).origin;
  const url = new URL(root + path);
  if (endpoint.method !== 'GET') return { url, body: rest };
  for (const [key, value] of Object.entries(rest)) {
    if (value !== undefined) url.searchParams.set(key, String(value));
  }
  return { url };
}

function notAnswered(sending: Sending, error: unknown): NotSentError | NoAnswerError {
  const { requestId } = sending;
  const what = `${sending.endpoint.method} ${sending.endpoint.path}`;
  const code = codeOf(error);
  if (code !== undefined && notSentCodes.includes(code)) {
    return new NotSentError(
      `${what} was not sent: ${new URL(sending.baseUrl).origin} cannot be reached (${code}).`,
      { cause: error, requestId },
    );
  }
  const open = sending.endpoint.method === 'GET' ? '' : ' It may have been accepted.';
  return new NoAnswerError(
    `${what} was sent, but no answer came: ${code ?? messageOf(error)}.${open}`,
    { cause: error, requestId },
  );
}

/** Looks at what an error has, not at its class: in a sandboxed realm Node's own are another's. */
function codeOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  if ('code' in error && typeof error.code === 'string') return error.code;
  if ('name' in error && error.name === 'TimeoutError') return 'time-out';
  return 'cause' in error ? codeOf(error.cause) : undefined;
}

function messageOf(error: unknown): string {
  const hasMessage = typeof error === 'object' && error !== null && 'message' in error;
  return hasMessage ? String(error.message) : String(error);
}
