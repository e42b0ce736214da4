import { BaseError, createPublicClient, HttpRequestError, http, type PublicClient } from 'viem';

/** For all that one question reads. */
const deadlineMs = 8_000;

/**
 * Reads with one deadline over everything and no second try. The URL may hold a key: errors name
 * its origin alone, and carry no cause, since histories keep what an error says.
 */
export async function readChain<T>(
  url: string,
  read: (chain: PublicClient) => Promise<T>,
): Promise<T> {
  const signal = AbortSignal.timeout(deadlineMs);
  const transport = http(url, { retryCount: 0, timeout: deadlineMs, fetchOptions: { signal } });
  try {
    return await read(createPublicClient({ transport }));
  } catch (error) {
    const reason = signal.aborted ? `no answer within ${deadlineMs / 1_000} s` : reasonOf(error);
    if (reason === undefined) throw error;
    throw new Error(`The chain at ${new URL(url).origin} could not be read: ${reason}`);
  }
}

function reasonOf(error: unknown): string | undefined {
  if (!(error instanceof BaseError)) return undefined;
  const cause = error.walk((inner) => inner instanceof HttpRequestError);
  const status = cause instanceof HttpRequestError ? cause.status : undefined;
  return `${error.shortMessage}${status === undefined ? '' : ` HTTP status ${status}.`}`;
}
