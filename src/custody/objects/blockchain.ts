/** Every chain that the hosted service has, in its own words. */
export const blockchainNames: readonly string[] = [
  'ETH',
  'ETH-SEPOLIA',
  'AVAX',
  'AVAX-FUJI',
  'MATIC',
  'MATIC-AMOY',
  'SOL',
  'SOL-DEVNET',
  'ARB',
  'ARB-SEPOLIA',
  'NEAR',
  'NEAR-TESTNET',
  'EVM',
  'EVM-TESTNET',
  'UNI',
  'UNI-SEPOLIA',
  'BASE',
  'BASE-SEPOLIA',
  'OP',
  'OP-SEPOLIA',
  'APTOS',
  'APTOS-TESTNET',
  'ARC',
  'ARC-TESTNET',
  'MONAD',
  'MONAD-TESTNET',
];

/** The blockchains that have contracts as this service deploys them. */
export const contractBlockchainNames: readonly string[] = blockchainNames.filter(
  (name) => !/^(SOL|NEAR|APTOS|EVM)\b/.test(name),
);
