import { createSign, generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:http';
import { freePorts } from '../../src/local/freePorts';

/** Issues API keys for a Temporal server that reads the issuer's public key. */
export type TokenIssuer = {
  /** The URL from which the server reads the public key. */
  keysUrl: string;
  /** A token that is valid for an hour, for permissions such as "payments:worker". */
  issue(permissions: readonly string[]): string;
  close(): Promise<void>;
};

const kid = 'test';
const lifetimeS = 3_600;

/** Starts an issuer on a free port of this machine. */
export async function startTokenIssuer(): Promise<TokenIssuer> {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const jwk = { ...publicKey.export({ format: 'jwk' }), kid, alg: 'RS256', use: 'sig' };
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ keys: [jwk] }));
  });
  const [port] = await freePorts([0]);
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    keysUrl: `http://127.0.0.1:${port}/keys.json`,
    issue: (permissions) => {
      const exp = Math.floor(Date.now() / 1_000) + lifetimeS;
      const signed = [
        { alg: 'RS256', typ: 'JWT', kid },
        { sub: 'steadfast', exp, permissions },
      ].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'));
      const signature = createSign('RSA-SHA256').update(signed.join('.')).sign(privateKey);
      return [...signed, signature.toString('base64url')].join('.');
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
