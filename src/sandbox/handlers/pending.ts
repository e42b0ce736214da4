import { formatUnits, parseEther } from 'viem';
import type { LowestNonce } from '../../custody/transaction';
import { blockchainFault } from '../blockchainFault';
import { estimatesOf, feeParametersOf } from '../fees';
import type { Handlers, Service } from '../service';
import { type Hex, type TransactionRow, toTransaction } from '../store/records';
import { sender } from './newTransaction';

type Names = 'getFeeParameters' | 'getLowestNonceTransaction';

/** What gas costs now, and which transaction of a wallet all its later ones wait for. */
export function pendingHandlers(service: Service): Handlers<Names> {
  const { chain, shown } = service;
  return {
    getFeeParameters: async ({ blockchain }) => {
      const wrong = blockchainFault({ blockchain, served: shown.blockchain });
      if (wrong) throw wrong;
      return feeParametersOf(chain.baseFeePerGas);
    },

    getLowestNonceTransaction: async ({ address: walletAddress, ...rest }) => {
      const { address } = sender(service, { walletAddress, ...rest });
      const row = lowestNonce(service, address);
      if (row === undefined) return undefined;
      return { transaction: toTransaction(row, shown), feeInfo: feeInfo(service, row) };
    },
  };
}

/** Of what is signed and in no block yet; what is not signed has no nonce. */
function lowestNonce({ store }: Service, address: Hex): TransactionRow | undefined {
  const rows = store.broadcasts
    .inFlight(address)
    .map(({ transactionId = '' }) => store.transactions.get(transactionId));
  return rows.find((row) => row?.stage === 'SENT' || row?.stage === 'STUCK');
}

/** What the same gas costs at the level HIGH, and how much more than its estimate that is. */
function feeInfo({ chain }: Service, { estimatedFee }: TransactionRow): LowestNonce['feeInfo'] {
  const { gasLimit = '0', networkFee = '0' } = estimatedFee ?? {};
  const { high } = estimatesOf(BigInt(gasLimit), chain.baseFeePerGas);
  const difference = parseEther(high.networkFee) - parseEther(networkFee);
  return { newHighEstimatedFee: high, feeDifferenceAmount: formatUnits(difference, 18) };
}
