/** A token that the service knows by heart on one chain. */
export type KnownToken = {
  symbol: 'native' | 'USDC' | 'EURC';
  /** Empty for the native coin, as on the wire. */
  address: string;
  decimals: number;
  /** The service's id, where it is published. */
  id?: string;
};

export type Blockchain = {
  chainId: number;
  tokens: readonly KnownToken[];
  /** Addresses that are one balance with the native coin: on Arc, USDC pays for gas. */
  nativeTwins: readonly string[];
};

/** Chains that orders can run on, by the service's own names. */
export const blockchains: Readonly<Record<string, Blockchain>> = {
  'ARC-TESTNET': {
    chainId: 5042002,
    tokens: [
      {
        symbol: 'native',
        address: '',
        decimals: 18,
        id: '15dc2b5d-0994-58b0-bf8c-3a0501148ee8',
      },
      { symbol: 'USDC', address: '0x3600000000000000000000000000000000000000', decimals: 6 },
      {
        symbol: 'EURC',
        address: '0x89B50855Aa3bE2F677cD6303Cec089B5F319D72a',
        decimals: 6,
        id: '4ea52a96-e6ae-56dc-8336-385bb238755f',
      },
    ],
    nativeTwins: ['0x3600000000000000000000000000000000000000'],
  },
};

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

/** Those of them that have contracts as this service deploys them. */
export const contractBlockchainNames: readonly string[] = blockchainNames.filter(
  (name) => !/^(SOL|NEAR|APTOS|EVM)\b/.test(name),
);
