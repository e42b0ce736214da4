import { z } from 'zod';

const info = z.object({ rpcUrl: z.string(), chainId: z.number(), blockchain: z.string() });

/** Reads the chain's addresses from the sandbox's control plane. */
export async function readSandboxInfo(baseUrl: string): Promise<z.output<typeof info>> {
  const response = await fetch(new URL('/_sandbox/info', baseUrl));
  return info.parse(await response.json());
}
