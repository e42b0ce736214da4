import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../../scripts/run';

/** Files of one side: its certificate, its key, and the authority that has signed it. */
export type Identity = { cert: string; key: string; ca: string };

const days = '2';

/** An authority of its own, a server at 127.0.0.1 and a client, all in PEM files of a folder. */
export async function makeCertificates(
  folder: string,
): Promise<{ server: Identity; client: Identity }> {
  const ca = join(folder, 'ca.pem');
  const caKey = join(folder, 'ca.key');
  await openssl([
    'req',
    '-x509',
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:P-256',
    '-nodes',
    '-subj',
    '/CN=Steadfast test authority',
    '-days',
    days,
    '-keyout',
    caKey,
    '-out',
    ca,
  ]);
  const sign = async (name: string, extension: string): Promise<Identity> => {
    const [key, request, cert] = ['key', 'csr', 'pem'].map((end) => join(folder, `${name}.${end}`));
    const extensions = join(folder, `${name}.ext`);
    writeFileSync(extensions, extension);
    await openssl([
      'req',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:P-256',
      '-nodes',
      '-subj',
      `/CN=${name}`,
      '-keyout',
      key ?? '',
      '-out',
      request ?? '',
    ]);
    await openssl([
      'x509',
      '-req',
      '-in',
      request ?? '',
      '-CA',
      ca,
      '-CAkey',
      caKey,
      '-CAcreateserial',
      '-days',
      days,
      '-extfile',
      extensions,
      '-out',
      cert ?? '',
    ]);
    return { cert: cert ?? '', key: key ?? '', ca };
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
