import { setTimeout as sleep } from 'node:timers/promises';
import { createCustodyClient } from '../../src/custody/client';
import type { CustodyApi } from '../../src/custody/endpoints';
import type { SandboxConfig } from '../../src/sandbox/config';
import type { Python } from '../support/pythonSdks';
import { startTestSandbox, type TestSandbox } from '../support/sandbox';
import type { MethodCall, Methods } from './describeMethods';
import type { HostedConfig } from './hostedConfig';
import { createPythonApi, lackedByPython } from './python/api';
import { type Bridge, startBridge } from './python/bridge';
import { type Recorded, startRecorder } from './recorder';
import { createSdkApi, lackedBySdks } from './sdk/api';
import { noted } from './sdk/noted';
import { createSdks, sdkMethods } from './sdk/sdks';
import type { Rig, Way } from './subject';

/** The sandbox's handlers, with nothing in between. */
export function inProcess(): Way {
  return {
    name: 'in process',
    hasFunds: true,
    lacks: [],
    start: async () => {
      const sandbox = await startTestSandbox();
      const { api, rpcUrl, stop } = sandbox;
      const transferThatSticks: Rig['transferThatSticks'] = (input) =>
        api.createTransfer(input, { fate: 'stuck' });
      const change: Rig['change'] = (settings) => changeSettings(sandbox, settings);
      return { api, sandbox: { rpcUrl, transferThatSticks, change }, stop };
    },
  };
}

/** A way that goes over HTTP, and what went over it so far. */
export type RecordedWay = Way & { calls(): readonly Recorded[] };

/** Our client, the sandbox's server, and HTTP between them. */
export function overHttp(): RecordedWay {
  const about = { name: 'over HTTP', lacks: [], hasFunds: true };
  return recorded(
    about,
    () => startService('interface'),
    (origin, secrets) => createCustodyClient({ baseUrl: `${origin}/v1/w3s`, ...secrets }),
  );
}

/** A way through an SDK, and how the SDK's methods were called so far. */
export type SdkWay = RecordedWay & { methods: Methods };

/** The vendor's SDKs for Node, which know the hosted words for states. */
export function throughSdks(): SdkWay {
  const called: MethodCall[] = [];
  const note = (call: MethodCall) => called.push(call);
  const about = { name: "through the vendor's SDKs", lacks: lackedBySdks, hasFunds: true };
  const way = recorded(
    about,
    () => startService('hosted'),
    (baseUrl, secrets) => {
      const { wallets, contracts } = createSdks({ baseUrl, ...secrets });
      return createSdkApi({ wallets: noted(wallets, note), contracts: noted(contracts, note) });
    },
  );
  return { ...way, methods: { sdk: 'Node SDKs', names: sdkMethods, called: () => called } };
}

/** The vendor's Python SDKs, whose models refuse an answer without a field that they require. */
export function throughPython(python: Python): SdkWay {
  const called: MethodCall[] = [];
  let bridge: Bridge | undefined;
  const about = {
    name: "through the vendor's Python SDKs",
    lacks: lackedByPython,
    hasFunds: true,
  };
  const way = recorded(
    about,
    async () => {
      const service = await startService('hosted');
      const stop = async (): Promise<void> => {
        await bridge?.stop();
        await service.stop();
      };
      return { ...service, stop };
    },
    async (baseUrl, secrets) => {
      bridge = await startBridge(python, { baseUrl, ...secrets });
      return createPythonApi(bridge, (call) => called.push(call));
    },
  );
  const names = () => bridge?.names ?? [];
  return { ...way, methods: { sdk: 'Python SDKs', names, called: () => called } };
}

/** A service elsewhere, at a pace that it allows, without money. */
export function hosted(config: HostedConfig): RecordedWay {
  const { origin, pathname } = new URL(config.baseUrl);
  const about = { name: `at ${origin}`, lacks: [], hasFunds: false };
  const service = { origin, secrets: config, sandbox: undefined, stop: async () => {} };
  return recorded(
    about,
    async () => service,
    (at, secrets) => paced(createCustodyClient({ baseUrl: at + pathname, ...secrets })),
  );
}

/** The hosted service takes five writes a second and refuses bursts. */
const pauseMs = 350;

/** Each call waits until the last one has begun long enough ago. */
function paced(api: CustodyApi): CustodyApi {
  let turn: Promise<unknown> = Promise.resolve();
  const waiting = Object.entries(api).map(([name, call]) => [
    name,
    async (input: never) => {
      const begun = turn;
      turn = turn.then(() => sleep(pauseMs));
      await begun;
      return call(input);
    },
  ]);
  return Object.fromEntries(waiting) as CustodyApi;
}

type About = Pick<Way, 'name' | 'lacks' | 'hasFunds'>;
type Secrets = TestSandbox['secrets'];
type Service = {
  origin: string;
  secrets: Secrets;
  sandbox: TestSandbox | undefined;
  stop(): Promise<void>;
};
type Connect = (origin: string, secrets: Secrets) => CustodyApi | Promise<CustodyApi>;

function recorded(about: About, start: () => Promise<Service>, connect: Connect): RecordedWay {
  let calls: readonly Recorded[] = [];
  return {
    ...about,
    calls: () => calls,
    start: async () => {
      const service = await start();
      const { origin, sandbox } = service;
      const recorder = await startRecorder(origin);
      calls = recorder.calls;
      const api = await connect(recorder.origin, service.secrets);
      return {
        api,
        sandbox: sandbox && rig(sandbox, api),
        stop: async () => {
          await recorder.stop();
          await service.stop();
        },
      };
    },
  };
}

function rig(sandbox: TestSandbox, api: CustodyApi): Rig {
  return {
    rpcUrl: sandbox.rpcUrl,
    transferThatSticks: async (input) => {
      const rule = { kind: 'stuck', path: '/developer/transactions/transfer', count: 1 };
      const url = `${sandbox.origin}/_sandbox/faults`;
      const { status } = await sandbox.request('POST', url, { body: { rules: [rule] } });
      expect(status).toBeLessThan(300);
      return api.createTransfer(input);
    },
    change: (settings) => changeSettings(sandbox, settings),
  };
}

async function changeSettings(sandbox: TestSandbox, body: object): Promise<void> {
  const { status } = await sandbox.request('PATCH', `${sandbox.origin}/_sandbox/settings`, {
    body,
  });
  expect(status).toBe(200);
}

async function startService(states: SandboxConfig['states']): Promise<Service> {
  const sandbox = await startTestSandbox({ states });
  const { origin, secrets, stop } = sandbox;
  return { origin, secrets, sandbox, stop };
}
