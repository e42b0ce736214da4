import { statSync } from 'node:fs';
import { type Agent, get, Agent as HttpsAgent } from 'node:https';
import { dirname, join } from 'node:path';
import { loadCertificate } from '../../../sandbox/http/certificate';
import { newFolder } from '../../support/jest/setUp';
import { inSandbox } from '../../support/sandbox';

/** Asks over https. Resolves with the answer, or with the code of the refusal. */
function ask(url: string, agent: Agent): Promise<string> {
  return new Promise((resolve) => {
    get(url, { agent }, (response) => {
      response.setEncoding('utf8').on('data', resolve);
    }).on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
  });
}

describe('a sandbox that serves https', () => {
  const folder = newFolder();
  const sandbox = inSandbox({ tls: 'on' });

  it('is believed by whoever trusts its certificate, and by nobody else', async () => {
    const { path, cert } = await loadCertificate(join(sandbox.certificatePath ?? '', '..', '..'));
    expect(path).toBe(sandbox.certificatePath);
    const { port } = new URL(sandbox.origin);
    const trusting = new HttpsAgent({ ca: cert });
    for (const host of ['localhost', '127.0.0.1']) {
      expect(await ask(`https://${host}:${port}/ping`, trusting)).toBe('{"message":"pong"}');
    }
    expect(await ask(`${sandbox.origin}/ping`, new HttpsAgent())).toBe(
      'DEPTH_ZERO_SELF_SIGNED_CERT',
    );
  });

  it('keeps one certificate for all sandboxes of a user, with a key that nobody else reads', async () => {
    const made = await Promise.all([1, 2, 3].map(() => loadCertificate(folder)));
    expect(new Set(made.map(({ cert }) => cert)).size).toBe(1);
    const { path, cert } = await loadCertificate(folder);
    expect(cert).toBe(made[0]?.cert);
    expect(statSync(join(dirname(path), 'key.pem')).mode & 0o777).toBe(0o600);
  });
});
