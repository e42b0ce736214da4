import { X509Certificate } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { generate } from 'selfsigned';

/** The certificate of a server, its key, and the file that clients trust. */
export type Certificate = { cert: string; key: string; path: string };

const days = 825;
const dayMs = 86_400_000;
/** A certificate that ends sooner is made again. */
const daysLeft = 30;
const hosts = ['localhost', 'ip6-localhost'];
const addresses = ['127.0.0.1', '::1'];

/**
 * The certificate of all sandboxes of this user, for this machine's own names alone. It is made
 * once, so that clients go on trusting it. It can sign no other certificate.
 */
export async function loadCertificate(cacheFolder: string): Promise<Certificate> {
  const folder = join(cacheFolder, 'tls');
  const known = await read(folder);
  if (known !== undefined) return known;
  await rm(folder, { recursive: true, force: true });
  await make(cacheFolder, folder);
  const made = await read(folder);
  if (made === undefined) throw new Error(`The certificate in ${folder} cannot be read.`);
  return made;
}

async function read(folder: string): Promise<Certificate | undefined> {
  const path = join(folder, 'certificate.pem');
  try {
    const [cert, key] = await Promise.all([
      readFile(path, 'utf8'),
      readFile(join(folder, 'key.pem'), 'utf8'),
    ]);
    const endMs = Date.parse(new X509Certificate(cert).validTo);
    return endMs - Date.now() < daysLeft * dayMs ? undefined : { cert, key, path };
  } catch {
    return undefined;
  }
}

/** Made aside and renamed, so that another sandbox never meets half of it, or keeps its own. */
async function make(cacheFolder: string, folder: string): Promise<void> {
  const selfsigned: { generate: typeof generate } = require('selfsigned');
  const { cert, private: key } = await selfsigned.generate(
    [{ name: 'commonName', value: 'Steadfast sandbox' }],
    {
      keyType: 'ec',
      notAfterDate: new Date(Date.now() + days * dayMs),
      extensions: [
        { name: 'basicConstraints', cA: false, critical: true },
        { name: 'keyUsage', digitalSignature: true, critical: true },
        { name: 'extKeyUsage', serverAuth: true },
        {
          name: 'subjectAltName',
          altNames: [
            ...hosts.map((value) => ({ type: 2 as const, value })),
            ...addresses.map((ip) => ({ type: 7 as const, ip })),
          ],
        },
      ],
    },
  );
  await mkdir(cacheFolder, { recursive: true });
  const aside = await mkdtemp(join(cacheFolder, 'tls-'));
  await writeFile(join(aside, 'certificate.pem'), cert);
  await writeFile(join(aside, 'key.pem'), key, { mode: 0o600 });
  await rename(aside, folder).catch(() => rm(aside, { recursive: true, force: true }));
}
