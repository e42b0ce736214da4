import { createCodecServer } from './codecServer';
import { readCodecServerConfig } from './config';

/** The codec server as a program: reads the environment, serves until SIGTERM. */
export async function runCodecServer(): Promise<void> {
  const config = readCodecServerConfig();
  const server = createCodecServer(config);
  const url = await server.listen({ host: config.host, port: config.port });
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => void server.close());
  }
  process.stdout.write(`Codec server ready: ${url}\n`);
}
