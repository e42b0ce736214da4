import type { CustodyApi } from '../../../../src/custody/endpoints';
import { read, type Sdks, type ToWallets, withFee, withSource } from './sdks';

type TransactionNames =
  | 'createTransfer'
  | 'executeContract'
  | 'cancelTransaction'
  | 'accelerateTransaction'
  | 'getTransaction'
  | 'listTransactions'
  | 'validateAddress'
  | 'estimateTransfer'
  | 'estimateExecution';

export function transactionMethods({ wallets }: Sdks): Pick<CustodyApi, TransactionNames> {
  return {
    createTransfer: async ({ amounts, ...rest }) => {
      const input = { ...withFee(rest), amount: amounts } as ToWallets<'createTransaction'>;
      return read('createTransfer', await wallets.createTransaction(input));
    },
    executeContract: async (input) => {
      const sent = withFee(input) as ToWallets<'createContractExecutionTransaction'>;
      return read('executeContract', await wallets.createContractExecutionTransaction(sent));
    },
    estimateTransfer: async ({ amounts, ...rest }) => {
      const input: unknown = { ...rest, amount: amounts };
      const answer = await wallets.estimateTransferFee(input as ToWallets<'estimateTransferFee'>);
      return read('estimateTransfer', answer);
    },
    estimateExecution: async (input) => {
      const sent = withSource(input) as ToWallets<'estimateContractExecutionFee'>;
      return read('estimateExecution', await wallets.estimateContractExecutionFee(sent));
    },
    cancelTransaction: async (input) =>
      read('cancelTransaction', await wallets.cancelTransaction(input)),
    accelerateTransaction: async (input) =>
      read('accelerateTransaction', await wallets.accelerateTransaction(input)),
    getTransaction: async (input) =>
      read('getTransaction', await wallets.getTransaction(input as ToWallets<'getTransaction'>)),
    listTransactions: async ({ walletIds, ...rest }) => {
      const filter = walletIds === undefined ? {} : { walletIds: walletIds.split(',') };
      const input = { ...rest, ...filter } as ToWallets<'listTransactions'>;
      return read('listTransactions', await wallets.listTransactions(input));
    },
    validateAddress: async (input) =>
      read('validateAddress', await wallets.validateAddress(input as ToWallets<'validateAddress'>)),
  };
}
