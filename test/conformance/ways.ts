import { createCustodyClient } from '../../src/custody/client';
import type { CustodyApi } from '../../src/custody/endpoints';
import type { SandboxConfig } from '../../src/sandbox/config';
import { startTestSandbox, type TestSandbox } from '../support/sandbox';
import { type Recorded, startRecorder } from './recorder';
import { createSdkApi, createSdks, lackedBySdks } from './sdkApi';
import type { Rig, Way } from './subject';

/** The sandbox's handlers, with nothing in between. */
export function inProcess(): Way {
  return {
    name: 'in process',
    hasFunds: true,
    lacks: [],
    start: async () => {
      const { api, rpcUrl, stop } = await startTestSandbox();
      const transferThatSticks: Rig['transferThatSticks'] = (input) =>
        api.createTransfer(input, { fate: 'stuck' });
      return { api, sandbox: { rpcUrl, transferThatSticks }, stop };
    },
  };
}

/** A way that goes over HTTP, and what went over it so far. */
export type RecordedWay = Way & { calls(): readonly Recorded[] };

/** Our client, the sandbox's server, and HTTP between them. */
export function overHttp(): RecordedWay {
  return recorded({ name: 'over HTTP', lacks: [] }, { states: 'interface' }, (origin, secrets) =>
    createCustodyClient({ baseUrl: `${origin}/v1/w3s`, ...secrets }),
  );
}

/** The vendor's SDKs, which know the hosted words for states. */
export function throughSdks(): RecordedWay {
  const about = { name: "through the vendor's SDKs", lacks: lackedBySdks };
  return recorded(about, { states: 'hosted' }, (baseUrl, secrets) =>
    createSdkApi(createSdks({ baseUrl, ...secrets })),
  );
}

function recorded(
  about: Pick<Way, 'name' | 'lacks'>,
  config: Partial<SandboxConfig>,
  connect: (origin: string, secrets: TestSandbox['secrets']) => CustodyApi,
): RecordedWay {
  let calls: readonly Recorded[] = [];
  return {
    ...about,
    hasFunds: true,
    calls: () => calls,
    start: async () => {
      const sandbox = await startTestSandbox(config);
      const recorder = await startRecorder(sandbox.origin);
      calls = recorder.calls;
      const api = connect(recorder.origin, sandbox.secrets);
      const transferThatSticks: Rig['transferThatSticks'] = async (input) => {
        const rule = { kind: 'stuck', path: '/developer/transactions/transfer', count: 1 };
        await sandbox.request('POST', '/_sandbox/faults', { body: { rules: [rule] } });
        return api.createTransfer(input);
      };
      return {
        api,
        sandbox: { rpcUrl: sandbox.rpcUrl, transferThatSticks },
        stop: async () => {
          await recorder.stop();
          await sandbox.stop();
        },
      };
    },
  };
}
