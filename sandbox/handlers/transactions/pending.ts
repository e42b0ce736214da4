import { formatUnits, parseEther } from 'viem';
import type { LowestNonce } from '../../../src/custody/objects/transaction';
import { estimatesOf, feeParametersOf } from '../../engine/broadcast/fees';
import { requireServed } from '../../errors/requireServed';
import { type Hex, type TransactionRow, toTransaction } from '../../store/records/records';
import type { SandboxApi, Service } from '../service';
import { senderWallet } from './newTransaction';

/** The price of gas now, and the transaction of a wallet that all its later ones wait for. */
export function pendingHandlers(service: Service) {
  const { chain, shown } = service;
  return {
    getFeeParameters: async ({ blockchain }) => {
      requireServed({ blockchain, served: shown.blockchain });
      return feeParametersOf(chain.baseFeePerGas);
    },

    getLowestNonceTransaction: async ({ address: walletAddress, ...rest }) => {
      const { address } = senderWallet(service, { walletAddress, ...rest });
      const row = lowestNonce(service, address);
      if (row === undefined) return undefined;
      return { transaction: toTransaction(row, shown), feeInfo: feeInfo(service, row) };
    },
  } satisfies Partial<SandboxApi>;
}

/** The first transaction that is signed and in no block yet. An unsigned one has no nonce. */
function lowestNonce({ store }: Service, address: Hex): TransactionRow | undefined {
  const rows = store.broadcasts
    .inFlight(address)
    .map(({ transactionId = '' }) => store.transactions.get(transactionId));
  return rows.find((row) => row?.stage === 'SENT' || row?.stage === 'STUCK');
}

/** The cost of the same gas at the level HIGH, and the difference from its estimate. */
function feeInfo({ chain }: Service, { estimatedFee }: TransactionRow): LowestNonce['feeInfo'] {
  const { gasLimit = '0', networkFee = '0' } = estimatedFee ?? {};
  const { high } = estimatesOf(BigInt(gasLimit), chain.baseFeePerGas);
  const difference = parseEther(high.networkFee) - parseEther(networkFee);
  return { newHighEstimatedFee: high, feeDifferenceAmount: formatUnits(difference, 18) };
}
