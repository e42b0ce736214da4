import type { FastifyRequest } from 'fastify';
import { type Endpoint, type EndpointName, endpoints } from '../../custody/endpoints';
import { nothing } from '../../custody/endpoints/endpoint';
import type { Fate } from '../control/faultRule';
import { unlessAborted } from '../current';
import { sideOf } from '../errors';
import type { Running } from '../running';
import type { PageLinks } from '../store/page';
import { type Answer, refused } from './answer';
import { linkHeader } from './linkHeader';
import { readInput } from './requestBody';

/** The one endpoint that asks for no API key, and whose answer is not wrapped. */
export const openEndpoints: readonly string[] = ['ping'];

export type CarryOutParts = Pick<Running, 'api' | 'auth' | 'replaced'>;
export type Call = { name: EndpointName; request: FastifyRequest };

/**
 * What a call comes to, refusals included; never throws. Its fields are looked at first, then the
 * entity secret, and then it is done.
 */
export async function carryOut(
  { api, auth, replaced }: CarryOutParts,
  { name, request }: Call,
  fate?: Fate,
): Promise<Answer> {
  const endpoint: Endpoint = endpoints[name];
  try {
    const { input, entitySecretCiphertext } = readInput(name, request);
    if (endpoint.signed) await auth.takeCiphertext(entitySecretCiphertext, sideOf(endpoint));
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
    // The table types each method's own input; here one of them has just been parsed by its schema.
    const handler = api[name] as (input: unknown, options: unknown) => Promise<unknown>;
    const data = await unlessAborted(replaced, handler(input, options));
    // There is nothing, where that is an answer.
    if (data === undefined) return { status: 204, body: undefined };
    // What is created says 201 the first time, and 200 when it was there already.
    const status = replayed ? 200 : endpoint.success;
    if (endpoint.output === nothing) return { status, body: undefined };
    const headers = links === undefined ? {} : { link: linkHeader(request, links) };
    return { status, headers, body: openEndpoints.includes(name) ? data : { data } };
  } catch (error) {
    return refused(error);
  }
}
