import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { bareEnvironment } from '../../../../src/local/bareEnvironment';
import { missingPrograms } from '../../../support/missingPrograms';
import { startTestSandbox } from '../../../support/sandbox';

// Source: circlefin/w3s-entity-secret-sample-code, whose program in Go reads the key as a PKIX key.

const run = promisify(execFile);
const itHere = missingPrograms(['go']).length === 0 ? it : it.skip;

itHere('a program in Go encrypts the entity secret, and each ciphertext counts once', async () => {
  const sandbox = await startTestSandbox();
  const { apiKey, entitySecret } = sandbox.secrets;
  const service = {
    SERVICE_ORIGIN: sandbox.origin,
    SERVICE_API_KEY: apiKey,
    SERVICE_ENTITY_SECRET: entitySecret,
  };
  const { stdout } = await run('go', ['run', join(__dirname, 'entitySecret.go')], {
    env: bareEnvironment(service),
  });
  await sandbox.stop();
  const [first, second, third, again] = stdout.trim().split('\n');
  expect([first, second, third]).toEqual(['684 201 0', '684 201 0', '684 201 0']);
  expect(again).toMatch(/^684 4\d\d [1-9]\d*$/);
});
