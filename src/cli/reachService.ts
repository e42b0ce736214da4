import { readCustodyConfig } from '../config';
import { createCustodyClient } from '../custody/client';
import type { CustodyApi } from '../custody/endpoints';
import { CustodyError, RefusedError } from '../custody/errors';
import { InputError, messageOf, UnreachableError } from './exit';
import type { Terminal } from './show/voice';

const deadlineMs = 5_000;

/** The service as the environment names it, for commands that sign nothing. */
export function reachService({ env }: Pick<Terminal, 'env'>): {
  api: CustodyApi;
  host: string;
  baseUrl: string;
} {
  const config = readCustodyConfig(env, { signs: false });
  return {
    api: createCustodyClient({ ...config, deadlineMs }),
    host: new URL(config.baseUrl).host,
    baseUrl: config.baseUrl,
  };
}

/** A failure of the service as a sentence that says what to do. Any other error as it is. */
export function serviceFault(error: unknown, host: string): unknown {
  if (!(error instanceof CustodyError)) return error;
  const said = messageOf(error).replace(/\.$/, '');
  if (error instanceof RefusedError) {
    return new InputError(
      `${host} refused the call: ${said}. See npx --no-install steadfast doctor`,
    );
  }
  return new UnreachableError(
    `${host} gives no usable answer: ${said}. ` +
      'Check CUSTODY_BASE_URL. Find out more with: npx --no-install steadfast doctor',
    { cause: error },
  );
}
