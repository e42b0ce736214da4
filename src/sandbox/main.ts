import { blockchains } from '../custody/blockchain';
import { startTraces } from '../telemetry/traces';
import { codeHash, loadArtifacts } from './chain/artifacts';
import { type Chain, startChain } from './chain/chain';
import { readSandboxConfig, type SandboxConfig } from './config';
import { addControlPlane, type ControlParts, type Info } from './control/control';
import { createFaults } from './control/faults';
import { forceState } from './control/forceState';
import { createRelay, relayPath } from './control/relay';
import { createEngine } from './engine/engine';
import { lockFolder } from './folderLock';
import { createHandlers, type SandboxApi } from './handlers';
import { createAuth } from './http/auth';
import { createCalls } from './http/calls';
import { createRateLimit } from './http/rateLimit';
import { createServer } from './http/server';
import { createIdempotency } from './idempotency';
import { createKeys } from './keys';
import { readSecrets, type Secrets } from './secrets';
import { firstSettings, type Settings } from './settings';
import { createPlaces } from './store/places';
import { createReads } from './store/readLag';
import { requireContracts } from './store/requireContracts';
import { openStore } from './store/store';
import { createTokens } from './tokens';

/** A running sandbox, and the service it offers without HTTP in between. */
export type Sandbox = {
  baseUrl: string;
  rpcUrl: string;
  secrets: Pick<Secrets, 'apiKey' | 'entitySecret'>;
  api: SandboxApi;
  chain: Chain;
  stop(): Promise<void>;
};

const blockchain = 'ARC-TESTNET';

/** Starts chain, server and engine; what was stored before goes on where it was. */
export async function startSandbox(config: SandboxConfig): Promise<Sandbox> {
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
  const secrets = await readSecrets(config);
  const store = openStore(config.dataDir);
  ends.push(store.close);
  const artifacts = await loadArtifacts(config.cacheFolder);
  requireContracts(store, { codeHash: codeHash(artifacts), dataDir: config.dataDir });
  const chain = await startChain({
    seed: `0x${secrets.seed}`,
    artifacts,
    blocks: () =>
      store.blocks.above(0).map((block) => ({ ...block, number: BigInt(block.number) })),
  });
  ends.push(chain.stop);
  const auth = createAuth(secrets, store);
  const { accountAddress } = chain;
  const keys = createKeys({ seed: `0x${secrets.seed}`, store, accountAddress });
  const settings = firstSettings(config);
  const tokens = createTokens({ chain, store, blockchain });
  const engine = createEngine({ store, chain, keys, tokens, settings });
  ends.push(engine.stop);
  const api = createHandlers({
    store,
    reads: createReads(store, settings),
    chain,
    engine,
    keys,
    places: createPlaces(store),
    tokens,
    idempotent: createIdempotency(store, settings),
    publicKey: auth.publicKey,
    shown: { blockchain, vocabulary: config.states },
    settings,
  });
  const calls = createCalls();
  const faults = createFaults();
  const rateLimit = createRateLimit(settings);
  const traces = config.traces && startTraces(config.traces);
  if (traces !== undefined) ends.push(traces.stop);
  const server = createServer({ api, auth, calls, faults, rateLimit, store, traces });
  ends.push(() => server.close());
  let origin = '';
  const info = (): Info => infoOf({ origin, chain, config, settings });
  const relay = createRelay(chain);
  const force: ControlParts['force'] = (id, forced) => forceState({ store, chain }, id, forced);
  const changed = engine.wake;
  addControlPlane(server, { calls, relay, faults, settings, info, force, changed });
  origin = await server.listen({ host: config.host, port: config.port });
  // Only who has the port moves what is stored.
  engine.start();
  return { baseUrl: `${origin}/v1/w3s`, rpcUrl: info().rpcUrl, secrets, api, chain };
}

/** The sandbox program: runs until SIGTERM; one line says when it is ready. */
export async function runSandbox(): Promise<void> {
  const sandbox = await startSandbox(readSandboxConfig());
  let stopping = false;
  const stop = (): void => {
    stopping = true;
    void sandbox.stop().then(() => process.exit(0));
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
  void sandbox.chain.lost.then((reason) => {
    if (stopping) return;
    process.stderr.write(`The chain is lost, so the sandbox ends.\n${reason.message}\n`);
    process.exit(1);
  });
  process.stdout.write(`Sandbox ready: ${sandbox.baseUrl}\n`);
}

type InfoParts = { origin: string; chain: Chain; config: SandboxConfig; settings: Settings };

function infoOf({ origin, chain, config, settings }: InfoParts): Info {
  const tokens = blockchains[blockchain]?.tokens ?? [];
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
