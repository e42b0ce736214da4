import { parseArgs } from 'node:util';
import { publicKey } from './publicKey';
import { createService } from './server';

/** The stub as a process of its own: prints where it serves, and ends with a signal. */
function main(): void {
  const { values } = parseArgs({
    options: {
      settle: { type: 'string', default: '1000' },
      limit: { type: 'string', default: 'off' },
      key: { type: 'string', default: '' },
      port: { type: 'string', default: '0' },
      journal: { type: 'string' },
    },
  });
  const server = createService({
    settleMs: Number(values.settle),
    rateLimit: values.limit === 'hosted' ? 'hosted' : 'off',
    apiKey: values.key,
    publicKey,
    ...(values.journal === undefined ? {} : { journal: values.journal }),
  });
  server.listen(Number(values.port), '127.0.0.1', () => {
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    console.log(`Service ready: http://127.0.0.1:${port}/v1/w3s`);
  });
}

main();
