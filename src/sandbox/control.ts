import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { Calls } from './calls';
import { fault } from './errors';
import { parseInput } from './fieldFaults';

/** What a person or a test may ask about the sandbox itself. */
export type Info = {
  baseUrl: string;
  rpcUrl: string;
  chainId: number;
  blockchain: string;
  tokens: { symbol: string; address: string; decimals: number }[];
  entryPoint: string;
  settings: Record<string, unknown>;
};

const afterQuery = z.object({ after: z.coerce.number().int().min(0).default(0) });
const loopback: readonly string[] = ['127.0.0.1', '::1', '::ffff:127.0.0.1'];

/**
 * The control plane: on loopback only, without a key, and never part of the interface. A page in a
 * browser cannot reach it under another name, since the host it asks for must be loopback too.
 */
export function addControlPlane(
  server: FastifyInstance,
  parts: { info: () => Info; calls: Calls },
): void {
  server.register(async (control) => {
    control.addHook('onRequest', async (request) => {
      const host = request.hostname.replace(/:\d+$/, '');
      const local = [...loopback, 'localhost', '[::1]'].includes(host);
      if (!loopback.includes(request.ip) || !local) throw fault('notFound');
    });
    control.get('/_sandbox/info', async () => parts.info());
    control.get('/_sandbox/calls', async (request) => {
      const { after } = parseInput(afterQuery, request.query);
      return { calls: parts.calls.after(after) };
    });
  });
}
