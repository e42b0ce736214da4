import { type ApiError, fault, type Side } from './errors';

type Asked = {
  blockchain: string | undefined;
  /** The only one that is served. */
  served: string;
  side?: Side;
  /** Whether the request names a wallet, which is on the chain that is served. */
  isOfWallet?: boolean;
};

/**
 * What is wrong with the chain of a request; undefined where it is the one that is served, or left
 * out. A main network is not for a test key, whatever else holds.
 */
export function blockchainFault(asked: Asked): ApiError | undefined {
  const { blockchain, served, side = 'wallets', isOfWallet = false } = asked;
  if (blockchain === undefined || blockchain === served) return undefined;
  if (isMainnet(blockchain)) return fault('wrongEnvironment', side, blockchain);
  return fault(isOfWallet ? 'otherBlockchain' : 'noBlockchain', side, blockchain);
}

/** Test networks have the name of their main network, and their own after a hyphen. */
function isMainnet(name: string): boolean {
  return !name.includes('-');
}
