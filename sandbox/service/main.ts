import { networks, usualNetwork } from '../../src/custody/networks/networks';
import type { TracesConfig } from '../../src/telemetry/config';
import { type Chain, startChain } from '../chain/chain';
import { codeHash, loadArtifacts } from '../chain/genesis/artifacts';
import type { SandboxConfig } from '../config/config';
import type { Secrets } from '../config/secrets';
import { firstSettings, type Settings } from '../config/settings';
import { addControlPlane, type Info } from '../control/control';
import { createRelay, relayPath } from '../control/relay';
import { createFaults } from '../faults/faults';
import type { SandboxApi } from '../handlers/service';
import { createKeyCheck } from '../http/auth';
import { createCalls } from '../http/calls';
import { loadCertificate } from '../http/certificate';
import { createRateLimit } from '../http/rateLimit';
import { createServer } from '../http/server';
import type { CallTraces } from '../http/trace';
import { requireContracts } from '../store/requireContracts';
import { openStore } from '../store/store';
import { begin } from './begin';
import { createCurrent } from './current';
import { lockFolder } from './folderLock';
import { createRunning } from './running';
import { createSnapshots } from './snapshots';

/** A running sandbox, and the service it offers without HTTP in between. */
export type Sandbox = {
  baseUrl: string;
  rpcUrl: string;
  /** The file with the certificate that its clients trust, where it serves https. */
  certificatePath: string | undefined;
  secrets: Pick<Secrets, 'apiKey' | 'entitySecret'>;
  /** As it was started: of no use once a snapshot is restored. */
  api: SandboxApi;
  chain: Chain;
  stop(): Promise<void>;
};

const blockchain = usualNetwork;

/** Starts chain, server and engine. What was stored before goes on where it was. */
export async function openSandbox(config: SandboxConfig): Promise<Sandbox> {
  const ends: End[] = [];
  let stopping: Promise<void> | undefined;
  const stop = (): Promise<void> => {
    stopping ??= endInTurn(ends);
    return stopping;
  };
  try {
    return { ...(await start(config, ends)), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Ends one part that was started. */
type End = () => void | Promise<void>;

/** The last that was started ends first, since it stands on the others. */
async function endInTurn(ends: readonly End[]): Promise<void> {
  for (const end of ends.toReversed()) await end();
}

/** Starts one part after the other, and notes for each how it ends. */
async function start(config: SandboxConfig, ends: End[]): Promise<Omit<Sandbox, 'stop'>> {
  if (config.dataDir !== undefined) ends.push(lockFolder(config.dataDir));
  const records = openStore(config.dataDir);
  ends.push(records.close);
  const settings = firstSettings(config);
  const faults = createFaults();
  const artifacts = await loadArtifacts(config.cacheFolder);
  const hash = codeHash(artifacts);
  const secrets = await begin({ config, records, settings, faults, codeHash: hash });
  requireContracts(records, { codeHash: hash, dataDir: config.dataDir });
  const chain = await startChain({
    seed: `0x${secrets.seed}`,
    artifacts,
    blocks: () =>
      records.blocks.above(0).map((block) => ({ ...block, number: BigInt(block.number) })),
  });
  ends.push(chain.stop);
  const shown = { blockchain, vocabulary: config.states };
  const parts = { records, chain, secrets, settings, shown, faults };
  const current = createCurrent(() => createRunning(parts));
  ends.push(current.stop);
  const snapshots = createSnapshots({ ...parts, dataDir: config.dataDir, current });
  ends.push(snapshots.close);
  const calls = createCalls();
  const traces = config.traces && startTraces(config.traces);
  if (traces !== undefined) ends.push(traces.stop);
  const certificate = config.tls === 'on' ? await loadCertificate(config.cacheFolder) : undefined;
  const server = createServer({
    certificate,
    current,
    calls,
    faults,
    checkApiKey: createKeyCheck(secrets),
    rateLimit: createRateLimit(settings),
    traces,
  });
  ends.push(() => server.close());
  let origin = '';
  const info = (): Info => infoOf({ origin, chain, config, settings });
  const relay = createRelay({ chain, settings, engine: async () => (await current.use()).engine });
  addControlPlane(server, { calls, relay, faults, settings, info, current, snapshots });
  origin = await server.listen({ host: config.host, port: config.port });
  // Only who has the port moves what is stored.
  const running = await current.use();
  running.start();
  const { api } = running;
  return {
    baseUrl: `${origin}/v1/w3s`,
    rpcUrl: info().rpcUrl,
    certificatePath: certificate?.path,
    secrets,
    api,
    chain,
  };
}

/** The code that sends spans takes long to load, so it is loaded only if spans are sent. */
function startTraces(config: TracesConfig): CallTraces {
  const { startCallTraces }: typeof import('../http/trace') = require('../http/trace');
  return startCallTraces(config);
}

type InfoParts = { origin: string; chain: Chain; config: SandboxConfig; settings: Settings };

function infoOf({ origin, chain, config, settings }: InfoParts): Info {
  const tokens = networks[blockchain]?.tokens ?? [];
  return {
    baseUrl: `${origin}/v1/w3s`,
    rpcUrl: `${origin}${relayPath}`,
    nodePid: chain.pid(),
    chainId: chain.chainId,
    blockchain,
    tokens: tokens.map(({ symbol, address, decimals }) => ({ symbol, address, decimals })),
    entryPoint: chain.contracts.entryPoint,
    settings: { ...settings, states: config.states },
  };
}
