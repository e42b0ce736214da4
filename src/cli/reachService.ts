import { readCustodyConfig } from '../config';
import { createCustodyClient } from '../custody/client';
import type { CustodyApi } from '../custody/endpoints';
import { RefusedError } from '../custody/errors';
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

/** The sentence about a call that the service refused or did not answer. */
export function serviceFault(error: unknown, host: string): Error {
  const said = messageOf(error).replace(/\.$/, '');
  if (error instanceof RefusedError) {
    return new InputError(`${host} refused the call: ${said}. See npx steadfast doctor`);
  }
  return new UnreachableError(
    `${host} gives no usable answer: ${said}. ` +
      'Check CUSTODY_BASE_URL. Find out more with: npx steadfast doctor',
    { cause: error },
  );
}
