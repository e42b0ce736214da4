import { setTimeout as sleep } from 'node:timers/promises';
import type { SandboxConfig } from '../../../../sandbox/config/config';
import { createCustodyClient } from '../../../../src/custody/client';
import type { CustodyApi } from '../../../../src/custody/endpoints';
import type { Python } from '../../../support/pythonSdks';
import { startTestSandbox, type TestSandbox } from '../../../support/sandbox';
import type { MethodCall, Methods } from '../description/describeMethods';
import { createPythonApi, lackedByPython } from '../python/api';
import { type Bridge, startBridge } from '../python/bridge';
import { createSdkApi, lackedBySdks } from '../sdk/api';
import { noted } from '../sdk/noted';
import { createSdks, sdkMethods } from '../sdk/sdks';
import type { HostedConfig } from './hostedConfig';
import { type Recorded, startRecorder } from './recorder';
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

/** A way over HTTP, with its recorded calls so far. */
export type RecordedWay = Way & { calls(): readonly Recorded[] };

/** Our client and the sandbox's server, over HTTP. */
export function overHttp(): RecordedWay {
  const about = { name: 'over HTTP', lacks: [], hasFunds: true };
  return recorded(
    about,
    () => startService('interface'),
    (origin, secrets) => createCustodyClient({ baseUrl: `${origin}/v1/w3s`, ...secrets }),
  );
}

/** A way through an SDK, with the recorded calls of the SDK's methods. */
export type SdkWay = RecordedWay & { methods: Methods };

/** The vendor's SDKs for Node, which expect the hosted state words. */
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

/** The vendor's Python SDKs. Their models reject an answer without a required field. */
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

/** A service elsewhere, without funds, at a rate that it allows. */
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

/** Delays each call until enough time has passed since the start of the last one. */
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
