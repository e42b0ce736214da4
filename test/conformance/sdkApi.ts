import {
  type FeeConfiguration,
  type FeeLevel,
  initiateDeveloperControlledWalletsClient,
  type CircleDeveloperControlledWalletsClient as WalletsClient,
} from '@circle-fin/developer-controlled-wallets';
import {
  type CircleSmartContractPlatformClient as ContractsClient,
  initiateSmartContractPlatformClient,
} from '@circle-fin/smart-contract-platform';
import {
  type CustodyApi,
  type EndpointName,
  endpoints,
  type Input,
  type Output,
} from '../../src/custody/endpoints';

/** What only plain HTTP reaches. */
export const lackedBySdks: readonly EndpointName[] = ['ping'];

export type SdkOptions = {
  /** The origin alone: the SDKs add `/v1/w3s` themselves. */
  baseUrl: string;
  apiKey: string;
  entitySecret: string;
};

/** The vendor's clients as they come. */
export type Sdks = { wallets: WalletsClient; contracts: ContractsClient };

export function createSdks(options: SdkOptions): Sdks {
  return {
    wallets: initiateDeveloperControlledWalletsClient(options),
    contracts: initiateSmartContractPlatformClient(options),
  };
}

type ToWallets<Method extends keyof WalletsClient> = Parameters<WalletsClient[Method]>[0];
type ToContracts<Method extends keyof ContractsClient> = Parameters<ContractsClient[Method]>[0];

/**
 * The vendor's SDKs, spoken to as a CustodyApi: each call is one method of theirs, in the form that
 * they take. They are not changed in any way.
 */
export function createSdkApi(sdks: Sdks): CustodyApi {
  return {
    ...setMethods(sdks),
    ...walletMethods(sdks),
    ...transactionMethods(sdks),
    ...contractMethods(sdks),
  };
}

type SetNames = 'ping' | 'getPublicKey' | 'createWalletSet' | 'getWalletSet' | 'listWalletSets';

function setMethods({ wallets }: Sdks): Pick<CustodyApi, SetNames> {
  return {
    ping: () => Promise.reject(new Error('The SDKs have no ping.')),
    getPublicKey: async () => read('getPublicKey', await wallets.getPublicKey()),
    createWalletSet: async (input) =>
      read('createWalletSet', await wallets.createWalletSet(input as ToWallets<'createWalletSet'>)),
    getWalletSet: async (input) => read('getWalletSet', await wallets.getWalletSet(input)),
    listWalletSets: async (input) =>
      read('listWalletSets', await wallets.listWalletSets(input as ToWallets<'listWalletSets'>)),
  };
}

type WalletNames = 'createWallets' | 'getWallet' | 'listWallets' | 'updateWallet';
type HoldingNames = 'listBalances' | 'getToken' | 'requestDrip';

function walletMethods({ wallets }: Sdks): Pick<CustodyApi, WalletNames | HoldingNames> {
  return {
    createWallets: async (input) =>
      read('createWallets', await wallets.createWallets(input as ToWallets<'createWallets'>)),
    getWallet: async (input) => read('getWallet', await wallets.getWallet(input)),
    listWallets: async (input) =>
      read('listWallets', await wallets.listWallets(input as ToWallets<'listWallets'>)),
    updateWallet: async (input) =>
      read('updateWallet', await wallets.updateWallet(input as ToWallets<'updateWallet'>)),
    listBalances: async ({ tokenAddress, ...rest }) => {
      const filter = tokenAddress === undefined ? {} : { tokenAddresses: [tokenAddress] };
      const input = { ...rest, ...filter } as ToWallets<'getWalletTokenBalance'>;
      return read('listBalances', await wallets.getWalletTokenBalance(input));
    },
    getToken: async (input) => read('getToken', await wallets.getToken(input)),
    requestDrip: async (input) => {
      await wallets.requestTestnetTokens(input as ToWallets<'requestTestnetTokens'>);
      return {};
    },
  };
}

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

function transactionMethods({ wallets }: Sdks): Pick<CustodyApi, TransactionNames> {
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

type ContractNames =
  | 'deployTemplate'
  | 'estimateDeployment'
  | 'getContract'
  | 'listContracts'
  | 'queryContract';

function contractMethods({ contracts }: Sdks): Pick<CustodyApi, ContractNames> {
  return {
    deployTemplate: async (input) => {
      const sent = withFee(input) as ToContracts<'deployContractTemplate'>;
      return read('deployTemplate', await contracts.deployContractTemplate(sent));
    },
    estimateDeployment: async (input) => {
      const sent = input as ToContracts<'estimateContractTemplateDeploymentFee'>;
      const answer = await contracts.estimateContractTemplateDeploymentFee(sent);
      return read('estimateDeployment', answer);
    },
    getContract: async (input) => read('getContract', await contracts.getContract(input)),
    listContracts: async (input) =>
      read('listContracts', await contracts.listContracts(input as ToContracts<'listContracts'>)),
    queryContract: async (input) =>
      read('queryContract', await contracts.queryContract(input as ToContracts<'queryContract'>)),
  };
}

type Fee = Pick<
  Input<'createTransfer'>,
  'feeLevel' | 'gasLimit' | 'maxFee' | 'priorityFee' | 'gasPrice'
>;

/** The fields of a fee are `fee: {type, config}` in the library's form. */
function withFee<Given extends Fee>(input: Given) {
  const { feeLevel, gasLimit, maxFee, priorityFee, gasPrice, ...rest } = input;
  const type = feeLevel !== undefined ? 'level' : gasPrice !== undefined ? 'gas' : 'absolute';
  const config = { feeLevel, gasLimit, maxFee, priorityFee, gasPrice };
  return { ...rest, fee: { type, config } as FeeConfiguration<FeeLevel> };
}

/** The sender of an estimate is `source` in the library's form. */
function withSource<Given extends { walletId?: string | undefined }>(input: Given) {
  const { walletId, ...rest } = input;
  return { ...rest, source: { walletId } };
}

function read<Name extends EndpointName>(name: Name, answer: { data?: unknown }): Output<Name> {
  return endpoints[name].output.parse(answer.data) as Output<Name>;
}
