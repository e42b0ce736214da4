import { type LookupAddress, type LookupAllOptions, lookup } from 'node:dns';
import { BlockList, isIP, isIPv6 } from 'node:net';

/** Addresses of IPv4 outside the public internet: RFC 6890, documentation, tests, multicast. */
const notPublic4 = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16'],
  ...['172.16.0.0/12', '192.0.0.0/24', '192.0.2.0/24', '192.88.99.0/24', '192.168.0.0/16'],
  ...['198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24', '224.0.0.0/4', '240.0.0.0/4'],
];
/** The public part of IPv6, but for what tunnels lead elsewhere, and documentation. */
const public6 = '2000::/3';
const notPublic6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'];

const closed = listOf([...notPublic4, ...notPublic6]);
const open6 = listOf([public6]);

function listOf(subnets: readonly string[]): BlockList {
  const list = new BlockList();
  for (const subnet of subnets) {
    const [address = '', bits] = subnet.split('/');
    list.addSubnet(address, Number(bits), isIPv6(address) ? 'ipv6' : 'ipv4');
  }
  return list;
}

/** True for an address of the public internet. */
export function isPublic(address: string): boolean {
  if (!isIPv6(address)) return !closed.check(address, 'ipv4');
  return open6.check(address, 'ipv6') && !closed.check(address, 'ipv6');
}

/** The address in a URL. Undefined for a name. */
function addressIn({ hostname }: URL): string | undefined {
  const host = hostname.replace(/^\[|\]$/g, '');
  return isIP(host) === 0 ? undefined : host;
}

/**
 * The reason why a receiver may not be told at an address. Undefined if it may. Plain HTTP shows a
 * message to every network on the way, so that it stays on private ones.
 */
function faultOf(address: string, { url, isPrivate }: { url: URL; isPrivate: boolean }) {
  if (isPublic(address)) {
    return url.protocol === 'https:' ? undefined : `${address} is public. Use https://.`;
  }
  if (isPrivate) return undefined;
  return (
    `${address} is on this machine, or in a private network. If the receiver is there, set ` +
    'STEADFAST_ANSWERS_PRIVATE=1.'
  );
}

/** The fault of a URL that needs no name server to be seen. */
export function receiverFault(url: URL, isPrivate: boolean): string | undefined {
  if (url.protocol !== 'https:' && !isPrivate) {
    return (
      'must begin with https://. Plain http:// is for a private network, with ' +
      'STEADFAST_ANSWERS_PRIVATE=1.'
    );
  }
  const address = addressIn(url);
  return address === undefined ? undefined : faultOf(address, { url, isPrivate });
}

/** The addresses of a name that may be called. The fault of the first, if none may. */
export function allowed(
  addresses: readonly LookupAddress[],
  at: { url: URL; isPrivate: boolean },
): { addresses: LookupAddress[]; fault?: string | undefined } {
  const fit = addresses.filter(({ address }) => faultOf(address, at) === undefined);
  if (fit.length > 0) return { addresses: fit };
  const [first] = addresses;
  return { addresses: [], fault: first && faultOf(first.address, at) };
}

type Answered = (error: Error | null, addresses: LookupAddress[]) => void;

/**
 * Resolves the receiver's name to the addresses that it may have, in the form of `dns.lookup`. The
 * connection goes to an address that was looked at, so that a name cannot change in between.
 */
export function lookupFor(url: URL, isPrivate: boolean) {
  return (hostname: string, options: Omit<LookupAllOptions, 'all'>, answered: Answered): void => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return answered(error, []);
      const fit = allowed(addresses, { url, isPrivate });
      answered(fit.fault === undefined ? null : new Error(fit.fault), fit.addresses);
    });
  };
}
