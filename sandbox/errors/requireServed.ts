import { fault, type Side } from './errors';

type Asked = {
  blockchain: string | undefined;
  /** The only one that is served. */
  served: string;
  side?: Side;
  /** True if the request names a wallet, which is on the served chain. */
  isOfWallet?: boolean;
};

/**
 * Refuses a request for any chain but the served one. A request may leave its chain out. A test
 * key is always refused on a main network.
 */
export function requireServed(asked: Asked): void {
  const { blockchain, served, side = 'wallets', isOfWallet = false } = asked;
  if (blockchain === undefined || blockchain === served) return;
  // Test networks have the name of their main network, and their own after a hyphen.
  if (!blockchain.includes('-')) throw fault('wrongEnvironment', side, blockchain);
  throw fault(isOfWallet ? 'otherBlockchain' : 'noBlockchain', side, blockchain);
}
