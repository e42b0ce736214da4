import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { changeSettings, type Settings, settingsChange } from '../config/settings';
import { fault } from '../errors/errors';
import { parseInput } from '../errors/fieldFaults';
import { faultPlan } from '../faults/faultRule';
import { type Faults, noFaults } from '../faults/faults';
import { refused } from '../http/answer';
import type { Calls } from '../http/calls';
import { send } from '../http/disturb';
import { describeApi } from '../openapi/document';
import type { Store } from '../store/store';
import { addBlocklist, type SetBlocked } from './blocklist';
import { type ForcedState, forcedState } from './forceState';
import { addNotifications, afterQuery } from './notifications';
import { addPast } from './past';
import { type Relay, relayPath } from './relay';
import { addSnapshotRoutes, type Snapshots } from './snapshotRoutes';

/** Facts about the sandbox itself, for people and tests. */
export type Info = {
  baseUrl: string;
  /** Reads of the chain. The address stays the same whichever node the chain has. */
  rpcUrl: string;
  /** Process id of the chain's node, which changes when it is replaced. */
  nodePid: number;
  chainId: number;
  blockchain: string;
  tokens: { symbol: string; address: string; decimals: number }[];
  entryPoint: string;
  settings: Record<string, unknown>;
};

const loopback: readonly string[] = ['127.0.0.1', '::1', '::ffff:127.0.0.1'];

type Controlled = {
  store: Store;
  /** Sets a transaction's record to a stage. */
  force(id: string, forced: ForcedState): void;
  setBlocked: SetBlocked;
  /** Aborted when other records take the place of these. */
  replaced: AbortSignal;
  wake(): void;
};

type ControlParts = {
  info: () => Info;
  calls: Calls;
  relay: Relay;
  faults: Faults;
  /** Settings and faults are forgotten when the sandbox ends. */
  settings: Settings;
  /** The running service. It is woken after each change, since it may wait by the old settings. */
  current: { use(): Promise<Controlled> };
  snapshots: Snapshots;
};

const transactionId = z.strictObject({ id: z.string() });

/**
 * The control plane: on loopback only, without a key, and never part of the interface. A page in a
 * browser cannot reach it under another name, since the host it asks for must be loopback too.
 */
export function addControlPlane(server: FastifyInstance, parts: ControlParts): void {
  const { info, calls, relay, faults, settings, current, snapshots } = parts;
  server.register(async (control) => {
    control.addHook('onRequest', async (request) => {
      const host = request.hostname.replace(/:\d+$/, '');
      const local = [...loopback, 'localhost', '[::1]'].includes(host);
      // Browsers name the origin of a page that sends something. No page has a say here.
      const isPage = request.headers.origin !== undefined;
      if (!loopback.includes(request.ip) || !local || isPage) throw fault('notFound');
    });
    // Not among the service's calls, where a refusal would otherwise be noted.
    control.setErrorHandler((error, _request, reply) => send(reply, refused(error)));
    control.get('/_sandbox/info', async () => info());
    control.get('/_sandbox/openapi.json', async () => describeApi(new URL(info().baseUrl).origin));
    control.post(relayPath, async ({ body }) => {
      await current.use();
      return relay(body);
    });
    control.patch('/_sandbox/settings', async ({ body }) => {
      const { wake } = await current.use();
      changeSettings(settings, parseInput(settingsChange, body));
      wake();
      return info().settings;
    });
    control.get('/_sandbox/faults', async () => faults.shown());
    control.post('/_sandbox/faults', async ({ body }) => {
      faults.plan(parseInput(faultPlan, body));
      return faults.shown();
    });
    control.delete('/_sandbox/faults', async () => {
      faults.plan(noFaults);
      return faults.shown();
    });
    control.post('/_sandbox/transactions/:id/state', async ({ params, body }) => {
      const { id } = parseInput(transactionId, params);
      const forced = parseInput(forcedState, body);
      const { force, wake } = await current.use();
      force(id, forced);
      wake();
      return { id, ...forced };
    });
    addBlocklist(control, current);
    addPast(control, current);
    addSnapshotRoutes(control, snapshots);
    addNotifications(control, current);
    control.get('/_sandbox/calls', async ({ query }) => {
      const { after } = parseInput(afterQuery, query);
      return { calls: calls.after(after) };
    });
  });
}
