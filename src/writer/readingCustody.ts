import {
  type CustodyApi,
  type Endpoint,
  type EndpointName,
  endpoints,
  withCalls,
} from '../custody/endpoints';
import { WithheldError } from '../custody/errors';

/** True for calls that neither change anything nor need the entity secret. */
export function isRead(name: EndpointName): boolean {
  const { write, signed }: Endpoint = endpoints[name];
  return !write && !signed;
}

/**
 * The same service without a single write or signature. The error of each of those says where it is
 * closed, such as "under a policy".
 */
export function readingCustody(custody: CustodyApi, where = 'in this process'): CustodyApi {
  return withCalls(custody, (name, call) => (isRead(name) ? call : closed(name, where)));
}

/** The same service, with a check before everything that changes something or is signed. */
export function beforeWrites(custody: CustodyApi, check: () => Promise<void>): CustodyApi {
  return withCalls(custody, (name, call) => {
    if (isRead(name)) return call;
    return async (input, how) => {
      await check();
      return call(input, how);
    };
  });
}

/** A call that nobody may make here. */
function closed(name: EndpointName, where: string): () => Promise<never> {
  return async () => {
    throw new WithheldError(`${name} is closed ${where}. Nothing was sent.`, { next: 'stop' });
  };
}
