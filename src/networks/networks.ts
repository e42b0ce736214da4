/** A token that the service knows by heart on one network. */
export type KnownToken = {
  symbol: 'native' | 'USDC' | 'EURC';
  /** Empty for the native coin, as on the wire. */
  address: string;
  decimals: number;
  /** The service's id, where it is published. */
  id?: string;
};

/** All that is known of a network before anybody asks it. */
export type Network = {
  chainId: number;
  /** True where money is real. It needs a LIVE_ key, and more than a test network to start. */
  isMain: boolean;
  tokens: readonly KnownToken[];
  /** Addresses that are one balance with the native coin: on Arc, USDC pays for gas. */
  nativeTwins: readonly string[];
  /** The lowest base fee in wei. A block below it is of another chain. */
  baseFeeMin: bigint;
  /** False where nobody gives coins away. */
  hasFaucet: boolean;
};

/** The network that an environment means where it names none. */
export const usualNetwork = 'ARC-TESTNET';

const usdc = '0x3600000000000000000000000000000000000000';
const gwei = 10n ** 9n;

/** The parts that Arc's networks share. */
const arc = { nativeTwins: [usdc], baseFeeMin: 20n * gwei } as const;

/** Networks that orders can run on, by the service's own names. */
export const networks: Readonly<Record<string, Network> & Record<typeof usualNetwork, Network>> = {
  'ARC-TESTNET': {
    ...arc,
    chainId: 5042002,
    isMain: false,
    tokens: [
      {
        symbol: 'native',
        address: '',
        decimals: 18,
        id: '15dc2b5d-0994-58b0-bf8c-3a0501148ee8',
      },
      { symbol: 'USDC', address: usdc, decimals: 6 },
      {
        symbol: 'EURC',
        address: '0x89B50855Aa3bE2F677cD6303Cec089B5F319D72a',
        decimals: 6,
        id: '4ea52a96-e6ae-56dc-8336-385bb238755f',
      },
    ],
    hasFaucet: true,
  },
  ARC: {
    ...arc,
    chainId: 5042,
    isMain: true,
    tokens: [
      { symbol: 'native', address: '', decimals: 18 },
      { symbol: 'USDC', address: usdc, decimals: 6 },
      { symbol: 'EURC', address: '0xbEf5f6d51CB62b58e6A8f77868681825C6fe21c1', decimals: 6 },
    ],
    hasFaucet: false,
  },
};
