import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../../scripts/run';

/** Files of one side: its certificate, its key, and the authority that has signed it. */
export type Identity = { cert: string; key: string; ca: string };

const days = '2';
/** A request with a key of its own. */
const newKey = ['req', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];

/** An authority of its own, a server at 127.0.0.1 and a client, all in PEM files of a folder. */
export async function makeCertificates(
  folder: string,
): Promise<{ server: Identity; client: Identity }> {
  const ca = join(folder, 'ca.pem');
  const caKey = join(folder, 'ca.key');
  const authority = ['-x509', '-days', days, '-subj', '/CN=Steadfast test authority'];
  await openssl([...newKey, ...authority, '-keyout', caKey, '-out', ca]);
  const sign = async (name: string, extension: string): Promise<Identity> => {
    const file = (end: string): string => join(folder, `${name}.${end}`);
    const [key, request, cert, extensions] = [file('key'), file('csr'), file('pem'), file('ext')];
    writeFileSync(extensions, extension);
    await openssl([...newKey, '-subj', `/CN=${name}`, '-keyout', key, '-out', request]);
    const by = ['-CA', ca, '-CAkey', caKey, '-CAcreateserial', '-days', days];
    const files = ['-in', request, '-extfile', extensions, '-out', cert];
    await openssl(['x509', '-req', ...by, ...files]);
    return { cert, key, ca };
  };
  return {
    server: await sign(
      'server',
      'subjectAltName=IP:127.0.0.1,DNS:localhost\nextendedKeyUsage=serverAuth',
    ),
    client: await sign('client', 'extendedKeyUsage=clientAuth'),
  };
}

async function openssl(args: readonly string[]): Promise<void> {
  const { code, output } = await run(['openssl', ...args], { quiet: true, timeoutMs: 30_000 });
  if (code !== 0) throw new Error(`openssl ${args[0]} ended with ${code}: ${output.trim()}`);
}
