import {
  BaseError,
  createPublicClient,
  ExecutionRevertedError,
  type Hex,
  HttpRequestError,
  http,
  type PublicClient,
} from 'viem';

/** Deadline for all reads of one question. */
const deadlineMs = 8_000;

/**
 * Reads with one deadline over everything and without retries. The URL may hold a key, and
 * histories keep errors. So an error names only the URL's origin and carries no cause.
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

/** An address or a hash as the chain's library takes it. It may lack the checksum. */
export function hex(text: string): Hex {
  return `0x${text.slice(2)}`;
}

/** The words of an error that says that the chain has refused a call. Undefined for any other. */
export function revertOf(error: unknown): string | undefined {
  if (!(error instanceof BaseError)) return undefined;
  const isRevert = error.walk((inner) => inner instanceof ExecutionRevertedError) !== null;
  return isRevert ? error.shortMessage : undefined;
}

function reasonOf(error: unknown): string | undefined {
  if (!(error instanceof BaseError)) return undefined;
  const cause = error.walk((inner) => inner instanceof HttpRequestError);
  const status = cause instanceof HttpRequestError ? cause.status : undefined;
  return `${error.shortMessage}${status === undefined ? '' : ` HTTP status ${status}.`}`;
}
