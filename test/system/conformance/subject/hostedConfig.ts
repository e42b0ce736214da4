/** An account at the hosted service, or at a service that should behave like it. */
export type HostedConfig = { baseUrl: string; apiKey: string; entitySecret: string };

export const variables = [
  'CONFORMANCE_BASE_URL',
  'CONFORMANCE_API_KEY',
  'CONFORMANCE_ENTITY_SECRET',
] as const;

/** The service to test. Undefined unless all variables are set. Throws for a live key. */
export function readHostedConfig(env: NodeJS.ProcessEnv = process.env): HostedConfig | undefined {
  const [baseUrl, apiKey, entitySecret] = variables.map((name) => env[name] ?? '');
  if (!baseUrl || !apiKey || !entitySecret) return undefined;
  const plain = apiKey.includes(':') ? apiKey : Buffer.from(apiKey, 'base64').toString('utf8');
  if (!plain.startsWith('TEST_API_KEY:')) {
    throw new Error('CONFORMANCE_API_KEY must be a test key: this suite creates wallets.');
  }
  return { baseUrl, apiKey, entitySecret };
}
