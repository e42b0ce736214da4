import type { FastifyRequest } from 'fastify';
import { type Endpoint, type EndpointName, endpoints } from '../../src/custody/endpoints';
import { nothing } from '../../src/custody/endpoints/endpoint';
import type { Settings } from '../config/settings';
import { sideOf } from '../errors/errors';
import type { Fate } from '../faults/faultRule';
import type { EntitySecret } from '../handlers/entitySecret';
import type { SandboxApi } from '../handlers/service';
import type { PageLinks } from '../store/page';
import { type Answer, refused } from './answer';
import { keptNames } from './lenient';
import { linkHeader } from './linkHeader';
import { readInput } from './requestBody';

/** The one endpoint that asks for no API key, and whose answer is not wrapped. */
export const openEndpoints: readonly string[] = ['ping'];

export type CarryOutParts = {
  api: SandboxApi;
  entitySecret: EntitySecret;
  settings: Pick<Settings, 'fields'>;
  /** Aborted when other records take the place of these. Its reason answers calls under way. */
  replaced: AbortSignal;
};
export type ApiCall = { name: EndpointName; request: FastifyRequest };

/**
 * Carries a call out and returns its answer, refusals included. Never throws. Checks the fields
 * first, then the entity secret, and then runs the handler.
 */
export async function carryOut(
  { api, entitySecret, settings, replaced }: CarryOutParts,
  { name, request }: ApiCall,
  fate?: Fate,
): Promise<Answer> {
  const endpoint: Endpoint = endpoints[name];
  let told: Pick<Answer, 'ignored'> = {};
  try {
    const { input, entitySecretCiphertext, ignored } = readInput(name, request, settings);
    if (ignored.length > 0) told = { ignored: keptNames(ignored) };
    if (endpoint.signed) await entitySecret.take(entitySecretCiphertext, sideOf(endpoint));
    let replayed = false;
    let links: PageLinks | undefined;
    const options = {
      replayed: () => {
        replayed = true;
      },
      paged: (told: PageLinks) => {
        links = told;
      },
      fate,
    };
    // The table types each method's own input. Here one of them has just been parsed by its schema.
    const handler = api[name] as (input: unknown, options: unknown) => Promise<unknown>;
    const data = await unlessAborted(replaced, handler(input, options));
    // There is nothing, where that is an answer.
    if (data === undefined) return { status: 204, body: undefined, ...told };
    // A creation answers 201 the first time, and 200 if it was there already.
    const status = replayed ? 200 : endpoint.success;
    if (endpoint.output === nothing) return { status, body: undefined, ...told };
    const headers = links === undefined ? {} : { link: linkHeader(request, links) };
    return { status, headers, body: openEndpoints.includes(name) ? data : { data }, ...told };
  } catch (error) {
    return { ...refused(error), ...told };
  }
}

/**
 * Resolves with the work's result, or rejects with the signal's reason as soon as it is aborted.
 */
export async function unlessAborted<Value>(
  signal: AbortSignal,
  work: Promise<Value>,
): Promise<Value> {
  let cut: () => void = () => {};
  const aborted = new Promise<never>((_, reject) => {
    cut = () => reject(signal.reason);
    signal.addEventListener('abort', cut);
  });
  if (signal.aborted) cut();
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', cut);
  }
}
