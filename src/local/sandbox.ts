import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { localKeys } from './localKeys';
import { spawnSandbox } from './spawnSandbox';

/** The options of a sandbox. The defaults are those of `npx --no-install steadfast sandbox`. */
type SandboxOptions = {
  /** Any free one, unless it is said. */
  port?: number;
  /** Keeps the state in a folder. Without one it is in memory, and gone at the end. */
  dataDir?: string;
  /** A snapshot's file to begin from, where the folder keeps nothing yet. */
  snapshot?: string;
  /** TEST_API_KEY:<id>:<secret>. A new one, unless it is said. */
  apiKey?: string;
  /** 64 lowercase hexadecimal characters. New ones, unless they are said. */
  entitySecret?: string;
  /** The words of transaction states: all ten of the hosted service, or three (`interface`). */
  states?: 'interface' | 'hosted';
  /** Time from acceptance to COMPLETE. 2,000 by default. */
  settleMs?: number;
  /** `off` takes any number of calls a second. */
  rateLimit?: 'hosted' | 'off';
  /** Sees every line that the sandbox prints. It prints no secrets. */
  onLine?: (line: string) => void;
};

/** A sandbox in a process of its own, which cannot outlive this one. */
export type RunningSandbox = AsyncDisposable & {
  /** The base URL for the vendor's SDKs. */
  origin: string;
  /** Below this are the endpoints. What `CUSTODY_BASE_URL` takes. */
  baseUrl: string;
  /** Reads of its chain, by JSON-RPC. */
  rpcUrl: string;
  apiKey: string;
  entitySecret: string;
  /** Notes the whole state, in a file as well if one is named. Returns the snapshot's id. */
  snapshot(file?: string): Promise<string>;
  /** Goes back to a snapshot, of which it may be any number of times. */
  restore(id: string): Promise<void>;
  /** Ends it. Without a data folder nothing of it is left. */
  stop(): Promise<void>;
};

/** Starts a sandbox. Resolves once it takes calls. */
export async function startSandbox(options: SandboxOptions = {}): Promise<RunningSandbox> {
  const { dataDir, onLine } = options;
  // In memory, new ones would be known to nobody. A folder keeps what it had, or what it makes.
  const made = dataDir === undefined ? localKeys() : undefined;
  const given = {
    apiKey: options.apiKey ?? made?.apiKey,
    entitySecret: options.entitySecret ?? made?.entitySecret,
  };
  const { baseUrl, stop } = await spawnSandbox({
    env: environmentOf({ ...options, ...given }),
    ...(onLine === undefined ? {} : { onLine }),
  });
  const kept = made ?? localKeys(join(dataDir ?? '', 'secrets.json'));
  const { apiKey = kept.apiKey, entitySecret = kept.entitySecret } = given;
  const control = (path: string): Promise<Response> => post(new URL(`/_sandbox/${path}`, baseUrl));
  return {
    origin: new URL(baseUrl).origin,
    baseUrl,
    rpcUrl: new URL('/_sandbox/rpc', baseUrl).href,
    apiKey,
    entitySecret,
    snapshot: async (file) => {
      const taken: { id: string; file: string } = JSON.parse(
        await (await control('snapshots')).text(),
      );
      if (file !== undefined) await copyFile(taken.file, file);
      return taken.id;
    },
    restore: async (id) => {
      await control(`snapshots/${encodeURIComponent(id)}/restore`);
    },
    stop: () => stop(),
    [Symbol.asyncDispose]: () => stop(),
  };
}

type Environment = { [Name in keyof SandboxOptions]?: SandboxOptions[Name] | undefined };

/** Secrets go by the environment: what is on a command line, everybody on the machine can see. */
function environmentOf(options: Environment): Record<string, string> {
  const variables = {
    SANDBOX_PORT: options.port ?? 0,
    SANDBOX_DATA_DIR: options.dataDir,
    SANDBOX_SNAPSHOT: options.snapshot,
    SANDBOX_API_KEY: options.apiKey,
    SANDBOX_ENTITY_SECRET: options.entitySecret,
    SANDBOX_STATES: options.states,
    SANDBOX_SETTLE_MS: options.settleMs,
    SANDBOX_RATE_LIMIT: options.rateLimit,
  };
  return Object.fromEntries(
    Object.entries(variables).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)]],
    ),
  );
}

async function post(url: URL): Promise<Response> {
  const response = await fetch(url, { method: 'POST' });
  if (response.ok) return response;
  throw new Error(`The sandbox answered ${response.status}: ${await response.text()}`);
}
