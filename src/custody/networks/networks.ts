import { multicallFrom } from '../batch';
import { memoContract } from '../memo';

/** A token that the service knows by heart on one network. */
export type KnownToken = {
  symbol: 'native' | 'USDC' | 'EURC';
  /** Empty for the native coin, as on the wire. */
  address: string;
  decimals: number;
  /** The service's id, where it is published. */
  id?: string;
};

/** The contracts that call others in the name of an account with a key. */
type CallsFrom = { multicall3From: `0x${string}`; memo: `0x${string}` };

/** The place of a network in the vendor's transfers between chains (CCTP, version 2). */
type Cctp = { domain: number; tokenMessenger: string; messageTransmitter: string };

/** The node that everybody may use, and its limits. */
type PublicNode = { urls: readonly string[]; callsPerSecond: number; logBlocks: number };

/** All that is known of a network before anybody asks it. */
export type Network = {
  chainId: number;
  /** True where money is real. It needs a LIVE_ key, and more than a test network to start. */
  isMain: boolean;
  tokens: readonly KnownToken[];
  /** Addresses that are one balance with the native coin: on Arc, USDC pays for gas. */
  nativeTwins: readonly string[];
  /** Addresses of the chain itself, in lower case. Nobody has their keys. */
  reserved: readonly `0x${string}`[];
  /** The lowest base fee in wei. A block below it is of another chain. */
  baseFeeMin: bigint;
  /** From one block to the next. */
  blockMs: number;
  /** The page where people get coins for nothing. Undefined where nobody gives any away. */
  faucet: string | undefined;
  /** Pages about transactions (`/tx/<hash>`) and accounts (`/address/<address>`). */
  explorer: string;
  publicNode: PublicNode;
  /** For batches and memos. Whether they work is asked on the chain. */
  callsFrom: CallsFrom;
  cctp: Cctp;
};

/** The network that an environment means where it names none. */
export const usualNetwork = 'ARC-TESTNET';

const usdc = '0x3600000000000000000000000000000000000000';
const gwei = 10n ** 9n;
const limits = { callsPerSecond: 2, logBlocks: 10_000 } as const;

/** The parts that Arc's networks share. */
const arc = {
  nativeTwins: [usdc],
  reserved: [
    // The logger of the native coin.
    '0xfffffffffffffffffffffffffffffffffffffffe',
    // The precompiles: the native coin, its block list, fees, calls for others, signatures.
    '0x1800000000000000000000000000000000000000',
    '0x1800000000000000000000000000000000000001',
    '0x1800000000000000000000000000000000000002',
    '0x1800000000000000000000000000000000000003',
    '0x1800000000000000000000000000000000000004',
  ],
  baseFeeMin: 20n * gwei,
  blockMs: 500,
  callsFrom: { multicall3From: multicallFrom, memo: memoContract },
} as const;

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
    faucet: 'https://faucet.circle.com',
    explorer: 'https://explorer.testnet.arc.io',
    publicNode: {
      urls: ['https://rpc.testnet.arc.network', 'https://rpc.testnet.arc.io'],
      ...limits,
    },
    cctp: {
      domain: 26,
      tokenMessenger: '0x8FE6B999Dc680CcFDD5Bf7EB0974218be2542DAA',
      messageTransmitter: '0xE737e5cEBEEBa77EFE34D4aa090756590b1CE275',
    },
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
    faucet: undefined,
    explorer: 'https://explorer.arc.io',
    publicNode: { urls: ['https://rpc.mainnet.arc.io'], ...limits },
    cctp: {
      domain: 26,
      tokenMessenger: '0x28b5a0e9C621a5BadaA536219b3a228C8168cf5d',
      messageTransmitter: '0x81D40F21F12A8F0E3252Bccb954D722d4c464B64',
    },
  },
};
