import { isRecord } from '../../src/custody/isRecord';
import { ConfigError } from '../../src/variables';
import { readSandboxConfig, type SandboxConfig, type SandboxFlags } from '../config/config';
import { endWithNpx } from './endWithNpx';
import { openSandbox, type Sandbox } from './main';

/** The sandbox program: runs until SIGTERM or Ctrl-C. One line says when it is ready. */
export async function runSandbox(flags: SandboxFlags = {}): Promise<void> {
  const config = readSandboxConfig(process.env, flags);
  if (!process.stdout.isTTY) warnOfSecrets(config);
  const sandbox = await openSandbox(config).catch((error) => {
    throw portTaken(error, config) ?? error;
  });
  const isStopping = stopAtSignals(sandbox);
  if (process.env.npm_command === 'exec') endWithNpx(isStopping);
  void sandbox.chain.lost.then((reason) => {
    if (isStopping()) return;
    process.stderr.write(`The chain is lost, so the sandbox ends.\n${reason.message}\n`);
    process.exit(1);
  });
  const { baseUrl, certificatePath } = sandbox;
  if (certificatePath !== undefined) process.stdout.write(`Certificate: ${certificatePath}\n`);
  process.stdout.write(`Sandbox ready: ${baseUrl}\n`);
  if (process.stdout.isTTY) process.stdout.write(introduction(sandbox, config));
}

/** npm passes on what the terminal has sent already. But who presses again later has had enough. */
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
  return new ConfigError(
    `SANDBOX_PORT: port ${port} of ${host} is in use, maybe by another sandbox. Stop that one, or ` +
      'choose another port: --port 0 uses any free one.',
  );
}

/** For whoever sits in front of it. Secrets that were given are not said again. */
function introduction(
  { baseUrl, rpcUrl, certificatePath, secrets }: Sandbox,
  config: SandboxConfig,
): string {
  const { apiKey, entitySecret, dataDir } = config;
  const { origin } = new URL(baseUrl);
  const variables = {
    SANDBOX_URL: origin,
    ...(certificatePath === undefined ? {} : { NODE_EXTRA_CA_CERTS: certificatePath }),
    ...(apiKey === undefined ? { SANDBOX_API_KEY: secrets.apiKey } : {}),
    ...(entitySecret === undefined ? { SANDBOX_ENTITY_SECRET: secrets.entitySecret } : {}),
  };
  const exports = Object.entries(variables).map(([name, value]) => `${name}=${value}`);
  const lines = [
    '',
    `  its chain  ${rpcUrl}`,
    `  its state  ${dataDir ?? 'in memory, and gone at the end (--data-dir <folder> keeps it)'}`,
    '',
    'In another terminal:',
    '',
    ...exports.map((variable) => `  export ${variable}`),
    '',
    'Ctrl-C stops it.',
    '',
  ];
  return `${lines.join('\n')}\n`;
}

/** Output that is no terminal may be kept by anybody, so no secret is printed there. */
function warnOfSecrets({ apiKey, entitySecret, dataDir }: SandboxConfig): void {
  if (dataDir !== undefined || (apiKey !== undefined && entitySecret !== undefined)) return;
  process.stderr.write(
    'No client can call this sandbox: its API key or its entity secret is new, and new ones are ' +
      'printed on a terminal only. Set SANDBOX_API_KEY and SANDBOX_ENTITY_SECRET. Or set ' +
      'SANDBOX_DATA_DIR: the sandbox keeps both in secrets.json in that folder.\n',
  );
}
