import { HttpRequestError, TimeoutError } from 'viem';
import { jsonIn } from '../../custody/isRecord';

/** The answer of a node to one HTTP request. */
export type Posted = { status: number; body: unknown; retryAfterMs?: number | undefined };

/** Sends one HTTP request. Throws an error of the chain's library if nothing usable comes back. */
export type Post = (body: unknown) => Promise<Posted>;

/** A node that is silent for this long is away. */
export const silentMs = 8_000;

/** Some nodes answer 403 to the usual name of a client. */
const userAgent = 'steadfast';

/** Sends JSON to the node at a URL, which may hold a key. Errors name only its origin. */
export function postTo(rpcUrl: string): Post {
  const { origin, pathname, search, username, password } = new URL(rpcUrl);
  const user = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  const headers = {
    'content-type': 'application/json',
    'user-agent': userAgent,
    ...(user === ':' ? {} : { authorization: `Basic ${Buffer.from(user).toString('base64')}` }),
  };
  return async (body) => {
    const signal = AbortSignal.timeout(silentMs);
    try {
      const asked = { method: 'POST', headers, body: JSON.stringify(body), signal };
      const response = await fetch(origin + pathname + search, asked);
      const text = await response.text();
      return {
        status: response.status,
        body: jsonIn(text),
        retryAfterMs: waitIn(response.headers.get('retry-after')),
      };
    } catch (error) {
      if (signal.aborted) throw new TimeoutError({ body: {}, url: origin });
      const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
      throw new HttpRequestError({ url: origin, details: String(cause) });
    }
  };
}

const waitMaxMs = 60_000;

function waitIn(header: string | null): number | undefined {
  const seconds = Number(header ?? Number.NaN);
  return Number.isNaN(seconds) ? undefined : Math.min(waitMaxMs, seconds * 1_000);
}
