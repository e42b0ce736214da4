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
  type EndpointName,
  endpoints,
  type Input,
  type Output,
} from '../../../../src/custody/endpoints';
import { methodsOf } from './noted';

export type SdkOptions = {
  /** The origin only: the SDKs add `/v1/w3s` themselves. */
  baseUrl: string;
  apiKey: string;
  entitySecret: string;
};

/** The vendor's clients, unchanged. */
export type Sdks = { wallets: WalletsClient; contracts: ContractsClient };

export function createSdks(options: SdkOptions): Sdks {
  return {
    wallets: initiateDeveloperControlledWalletsClient(options),
    contracts: initiateSmartContractPlatformClient(options),
  };
}

/** Methods that do not call the service. sdkOwn.test.ts tests them. */
const ownMethods: readonly string[] = ['generateEntitySecretCiphertext'];

/** All methods of the clients that call the service. */
export function sdkMethods(): string[] {
  const { wallets, contracts } = createSdks({
    baseUrl: 'http://127.0.0.1',
    apiKey: 'TEST_API_KEY:id:secret',
    entitySecret: '00'.repeat(32),
  });
  const names = new Set([...methodsOf(wallets), ...methodsOf(contracts)]);
  return [...names].filter((name) => !ownMethods.includes(name));
}

export type ToWallets<Method extends keyof WalletsClient> = Parameters<WalletsClient[Method]>[0];
export type ToContracts<Method extends keyof ContractsClient> = Parameters<
  ContractsClient[Method]
>[0];

type Fee = Pick<
  Input<'createTransfer'>,
  'feeLevel' | 'gasLimit' | 'maxFee' | 'priorityFee' | 'gasPrice'
>;

/** In the library's form the fields of a fee are `fee: {type, config}`. */
export function withFee<Given extends Fee>(input: Given) {
  const { feeLevel, gasLimit, maxFee, priorityFee, gasPrice, ...rest } = input;
  const type = feeLevel !== undefined ? 'level' : gasPrice !== undefined ? 'gas' : 'absolute';
  const config = { feeLevel, gasLimit, maxFee, priorityFee, gasPrice };
  return { ...rest, fee: { type, config } as FeeConfiguration<FeeLevel> };
}

/** In the library's form the sender of an estimate is `source`. */
export function withSource<Given extends { walletId?: string | undefined }>(input: Given) {
  const { walletId, ...rest } = input;
  return { ...rest, source: { walletId } };
}

/** The content of an SDK's answer, parsed by our table. */
export function read<Name extends EndpointName>(
  name: Name,
  answer: { data?: unknown },
): Output<Name> {
  return endpoints[name].output.parse(answer.data) as Output<Name>;
}
