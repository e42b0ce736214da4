import { isIP } from 'node:net';

/**
 * The reason why notices cannot be sent to an endpoint. Undefined if they can. The hosted service
 * requires public HTTPS. Here plain HTTP is allowed as long as nothing leaves this machine or its
 * own network. So it may go to loopback, private addresses, and names that only such a network
 * knows.
 */
export function endpointFault(endpoint: string): string | undefined {
  if (!URL.canParse(endpoint)) return 'The endpoint must be a URL, as https://example.org/hook';
  const { protocol, hostname, username, password } = new URL(endpoint);
  if (username !== '' || password !== '') return 'The endpoint must have no user and no password';
  if (protocol === 'https:') return undefined;
  if (protocol !== 'http:') return 'The endpoint must begin with https:// or http://';
  if (isLocal(hostname.replace(/^\[|\]$/g, ''))) return undefined;
  return 'The endpoint must use https://; http:// is only for this machine and private networks';
}

/** Not link-local ones: there a cloud keeps what is only for the machine itself. */
const privateIPv4 = /^(127|10|192\.168|172\.(1[6-9]|2\d|3[01]))\./;
const privateIPv6 = /^(::1$|f[cd])/;
/** Names of a single word are those of containers. */
const localName = /^[^.]+$|\.(localhost|local|test)$|^host\.docker\.internal$/;

function isLocal(host: string): boolean {
  switch (isIP(host)) {
    case 4:
      return privateIPv4.test(host);
    case 6:
      return privateIPv6.test(host);
    default:
      return localName.test(host);
  }
}
