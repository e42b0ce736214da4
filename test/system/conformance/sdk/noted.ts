import { z } from 'zod';
import type { MethodCall } from '../description/describeMethods';

/** The methods of a client, from its class. */
export function methodsOf(client: object): string[] {
  const names: string[] = [];
  for (
    let of = Object.getPrototypeOf(client);
    of !== Object.prototype;
    of = Object.getPrototypeOf(of)
  ) {
    names.push(...Object.getOwnPropertyNames(of));
  }
  return names.filter((name) => name !== 'constructor');
}

/** The same client, with the results of its methods recorded. */
export function noted<Client extends object>(
  client: Client,
  note: (call: MethodCall) => void,
): Client {
  return new Proxy(client, {
    get: (target, name) => {
      const method: unknown = Reflect.get(target, name);
      if (typeof method !== 'function') return method;
      return async (...given: unknown[]) => {
        const seen = (came: unknown): void => {
          const answered = answerOf(came);
          if (answered !== undefined) note({ method: String(name), ...answered });
        };
        try {
          const came: unknown = await method.apply(target, given);
          seen(came);
          return came;
        } catch (error) {
          seen(error);
          throw error;
        }
      };
    },
  });
}

const answerSchema = z.object({
  status: z.int(),
  config: z.object({ url: z.string(), method: z.string() }),
});
const refusalSchema = z.object({ status: z.int(), url: z.string(), method: z.string() });

/** The answer behind a result or error of the SDKs. Undefined when there was none. */
function answerOf(came: unknown): Omit<MethodCall, 'method'> | undefined {
  const { status, url, method } = readAnswer(came) ?? {};
  if (status === undefined || url === undefined || method === undefined) return undefined;
  return { status, call: { method: method.toUpperCase(), path: new URL(url).pathname } };
}

function readAnswer(came: unknown): z.output<typeof refusalSchema> | undefined {
  const answer = answerSchema.safeParse(came);
  if (answer.success) return { status: answer.data.status, ...answer.data.config };
  return refusalSchema.safeParse(came).data;
}
