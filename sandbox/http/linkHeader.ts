import type { FastifyRequest } from 'fastify';
import type { PageLinks } from '../store/page';

/**
 * The pages around the requested one, at the requested address and with its filters:
 * `<url?pageAfter=…&pageSize=…>; rel="next"` and so on.
 */
export function linkHeader(request: FastifyRequest, { size, next, prev }: PageLinks): string {
  const origin = `${request.protocol}://${request.host}`;
  const base = new URL((URL.canParse(origin) ? origin : 'http://localhost') + request.url);
  const link = (rel: string, cursor: Record<string, string> = {}): string => {
    const url = new URL(base);
    for (const name of ['pageBefore', 'pageAfter', 'pageSize']) url.searchParams.delete(name);
    const added = { ...cursor, pageSize: String(size) };
    for (const [name, value] of Object.entries(added)) url.searchParams.append(name, value);
    return `<${url.href}>; rel="${rel}"`;
  };
  return [
    `<${base.href}>; rel="self"`,
    link('first'),
    ...(next === undefined ? [] : [link('next', { pageAfter: next })]),
    ...(prev === undefined ? [] : [link('prev', { pageBefore: prev })]),
  ].join(', ');
}
