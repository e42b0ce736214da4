import { Client } from '@temporalio/client';
import { emptyBook } from '../checks/book';
import { readBook } from '../checks/readBook';
import { createSteadfast } from '../client/client';
import { readPrivacy } from '../client/privacy/privacy';
import { connectTemporal } from '../client/temporal/connectTemporal';
import { readTemporalConfig } from '../config';
import { isScoped } from '../orders/input/orderId';
import { readPolicyFile } from '../writer/file/readPolicy';
import { readConsoleConfig } from './config';
import { createConsole } from './console';
import { countsUntil } from './countsUntil';
import { fileNow } from './fileNow';
import { openInvitations } from './invite/invitations';
import { policyReader } from './people';
import { watching } from './watch/watching';

/** Temporal has this long for each question of a page. */
const timeoutMs = 15_000;

/**
 * The console as a program: reads the environment, and serves until SIGTERM. It needs neither the
 * API key nor the entity secret.
 */
export async function runConsole(env: NodeJS.ProcessEnv): Promise<void> {
  const config = readConsoleConfig(env);
  const temporal = readTemporalConfig(env);
  const { namespace, keyScope = '' } = temporal;
  const { dataConverter, isPrivate } = readPrivacy(namespace, env);
  const { policyFile, bookFile, blockchain } = config;
  // A person at the terminal is told each fault of a file.
  readPolicyFile(policyFile, { blockchain });
  const readNow = () => (bookFile === undefined ? emptyBook : readBook(bookFile, blockchain));
  readNow();
  const connection = await connectTemporal(temporal);
  const client = new Client({ connection, namespace, dataConverter });
  const options = { ...temporal, client, isPrivate, timeoutMs };
  const invitations = openInvitations(config.file);
  const server = createConsole({
    ...config,
    namespace,
    keyScope,
    isOwn: (workflowId) => isScoped(workflowId, keyScope),
    steadfast: createSteadfast(options),
    steadfastWith: (signing) => createSteadfast({ ...options, signing }),
    countsUntil: (id) => countsUntil(client, { id, keyScope }),
    invitations,
    policy: policyReader(policyFile, blockchain),
    book: bookFile === undefined ? readNow : fileNow(bookFile, 'address book', readNow),
    watch: watching({ ...config, client, connection, config: temporal }),
  });
  await server.listen({ host: config.host, port: config.port });
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => {
      void server
        .close()
        .then(() => invitations.close())
        .then(() => connection.close());
    });
  }
  process.stdout.write(`Console ready: ${config.origin}\n`);
}
