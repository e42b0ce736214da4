import { isRecord } from '../custody/isRecord';
import { type Flags, readSandboxConfig, type SandboxConfig, SandboxConfigError } from './config';
import { type Sandbox, startSandbox } from './main';
import { report } from './report';

/** The sandbox program: runs until SIGTERM or Ctrl-C; one line says when it is ready. */
export async function runSandbox(flags: Flags = {}): Promise<void> {
  const config = readSandboxConfig(process.env, flags);
  const sandbox = await startSandbox(config).catch((error) => {
    throw portTaken(error, config) ?? error;
  });
  const isStopping = stopAtSignals(sandbox);
  void sandbox.chain.lost.then((reason) => {
    if (isStopping()) return;
    process.stderr.write(`The chain is lost, so the sandbox ends.\n${reason.message}\n`);
    process.exit(1);
  });
  process.stdout.write(`Sandbox ready: ${sandbox.baseUrl}\n`);
  if (process.stdout.isTTY) process.stdout.write(introduction(sandbox, config));
  else warnOfSecrets(config);
}

/** npm passes on what the terminal has sent already; but who presses again later has had enough. */
const repeatMs = 1_000;

/** Returns whether it has been told to stop. */
function stopAtSignals(sandbox: Sandbox): () => boolean {
  let firstAtMs: number | undefined;
  const stop = (): void => {
    if (firstAtMs !== undefined && Date.now() - firstAtMs > repeatMs) process.exit(130);
    if (firstAtMs !== undefined) return;
    firstAtMs = Date.now();
    void sandbox.stop().then(() => {
      for (const signal of ['SIGTERM', 'SIGINT'] as const) process.off(signal, stop);
      process.exit(0);
    });
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, stop);
  return () => firstAtMs !== undefined;
}

function portTaken(error: unknown, { host, port }: SandboxConfig): Error | undefined {
  if (!isRecord(error) || error.code !== 'EADDRINUSE') return undefined;
  return new SandboxConfigError(
    `SANDBOX_PORT: port ${port} of ${host} is taken, maybe by another sandbox. Stop that one, or ` +
      'take another port: --port 0 takes any free one.',
  );
}

/** For whoever sits in front of it; secrets that were given are not said again. */
function introduction({ baseUrl, rpcUrl, secrets }: Sandbox, config: SandboxConfig): string {
  const { apiKey, entitySecret, dataDir } = config;
  const { origin } = new URL(baseUrl);
  const variables = {
    SANDBOX_URL: origin,
    ...(apiKey === undefined ? { SANDBOX_API_KEY: secrets.apiKey } : {}),
    ...(entitySecret === undefined ? { SANDBOX_ENTITY_SECRET: secrets.entitySecret } : {}),
  };
  const exports = Object.entries(variables).map(([name, value]) => `${name}=${value}`);
  const lines = [
    '',
    `  its chain  ${rpcUrl}`,
    `  its state  ${dataDir ?? 'in memory, and gone at the end (--data-dir <folder> keeps it)'}`,
    ...['', 'In another terminal:', ''],
    ...exports.map((variable) => `  export ${variable}`),
    ...['', 'Ctrl-C stops it.', ''],
  ];
  return `${lines.join('\n')}\n`;
}

/** Off a terminal everything that is printed may be kept by somebody: no secret is. */
function warnOfSecrets({ apiKey, entitySecret, dataDir }: SandboxConfig): void {
  if (dataDir !== undefined || (apiKey !== undefined && entitySecret !== undefined)) return;
  report(
    'Nobody can sign in',
    'the API key or the entity secret was made up and is printed on a terminal only. Set ' +
      'SANDBOX_API_KEY and SANDBOX_ENTITY_SECRET, or SANDBOX_DATA_DIR, which keeps secrets.json.',
  );
}
