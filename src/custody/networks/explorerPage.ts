import { networks } from './networks';

/** Hosts of this machine, and plain names, as containers have them. */
const near = /^(localhost|127(\.\d+){3}|\[::1\]|[^.]+)$/;

/**
 * The explorer's page about a transaction or an account. Undefined where there is none: a sandbox
 * near by has a chain of its own, under the same name as the real one.
 */
export function explorerPage(
  { blockchain, service }: { blockchain: string; service: string },
  about: `tx/${string}` | `address/${string}`,
): string | undefined {
  const { explorer } = networks[blockchain] ?? {};
  if (explorer === undefined || near.test(new URL(service).hostname)) return undefined;
  return `${explorer}/${about}`;
}
