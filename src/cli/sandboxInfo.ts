import { z } from 'zod';

const info = z.object({ rpcUrl: z.string(), chainId: z.number(), blockchain: z.string() });

/** What the sandbox says of its chain, on the control plane beside the API. */
export async function readSandboxInfo(baseUrl: string): Promise<z.output<typeof info>> {
  const response = await fetch(new URL('/_sandbox/info', baseUrl));
  return info.parse(await response.json());
}
