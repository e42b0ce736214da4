import type { Endpoint } from '../custody/endpoints';

/** A refusal as the service words it. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly code: number;
  readonly errors: readonly FieldFault[] | undefined;

  constructor(
    message: string,
    facts: { status: number; code: number; errors?: readonly FieldFault[] },
  ) {
    super(message);
    this.status = facts.status;
    this.code = facts.code;
    this.errors = facts.errors;
  }
}

/** One entry of `errors` in a validation answer. */
export type FieldFault = {
  error: string;
  message: string;
  location: string;
  invalidValue: string;
  constraints: Record<string, never>;
};

/** The wallets side and the contract side word the same faults with codes of their own. */
export type Side = 'wallets' | 'contracts';

export function sideOf({ path }: Pick<Endpoint, 'path'>): Side {
  return /^\/(templates|contracts)/.test(path) ? 'contracts' : 'wallets';
}

/** The service's code table (hosted-service facts §4), as far as this sandbox raises it. */
const faults = {
  malformedKey: [401, 401, 'Malformed authorization. Are the credentials properly encoded?'],
  unknownKey: {
    wallets: [401, 156007, 'API key not found'],
    contracts: [401, 175405, 'API key not found'],
  },
  wrongEnvironment: {
    wallets: [400, 156006, 'A live API key cannot be used on a test network'],
    contracts: [400, 175404, 'A live API key cannot be used on a test network'],
  },
  tooManyRequests: [429, 429, 'Too many requests.'],
  idIsNoUuid: {
    wallets: [400, 156009, 'The id in the path is not a UUID'],
    contracts: [400, 175401, 'The id in the path is not a UUID'],
  },
  cursorIsNoUuid: {
    wallets: [400, 156014, 'Only a UUID can be pageBefore or pageAfter'],
    contracts: [404, 175408, 'cannot find the pagination cursor in the system'],
  },
  noCursor: {
    wallets: [404, 156012, 'Cannot find corresponding pagination cursor in the system'],
    contracts: [404, 175408, 'cannot find the pagination cursor in the system'],
  },
  tooManyWalletSets: [403, 155502, 'No more than 1,000 wallet sets can be created'],
  notFound: [404, 404, 'Resource not found'],
  noWallet: {
    wallets: [404, 156001, 'Cannot find target wallet in the system'],
    contracts: [400, 177601, 'Cannot find target wallet in the system'],
  },
  walletFrozen: {
    wallets: [409, 155501, 'The wallet is frozen'],
    contracts: [400, 177301, 'The wallet is frozen'],
  },
  tooManyPending: {
    wallets: [400, 155264, 'Too many transactions of the wallet are pending, please wait'],
    contracts: [400, 177026, 'Too many transactions of the wallet are pending, please wait'],
  },
  firstInProgress: {
    wallets: [400, 155505, 'The first transaction of the SCA wallet is still in progress'],
    contracts: [400, 177303, 'The first transaction of the SCA wallet is still in progress'],
  },
  noToken: [404, 156002, 'Cannot find target token in the system'],
  noItem: [404, 156011, 'Cannot find target nftTokenId in the system'],
  notOwner: [
    400,
    155206,
    "The sender address is not the token owner or the sender wasn't approved to commit this transaction",
  ],
  noTransaction: [404, 156003, 'Cannot find target transaction in the system'],
  noWalletSet: [404, 156005, 'Cannot find target wallet set in the system'],
  noContract: [404, 175001, 'contract not found'],
  notAContract: [400, 175005, 'address is not a contract address'],
  invalidAbiJson: [400, 175007, 'invalid ABI JSON'],
  noFunction: [400, 175010, 'ABI function not found'],
  queryFailed: [400, 175012, 'unable to query contract'],
  addressInvalid: [400, 175410, 'invalid address format'],
  noTemplate: [404, 175201, 'template not found'],
  parameterInvalid: [400, 175203, 'invalid template deployment parameter'],
  parameterMissing: [400, 175204, 'missing required template deployment parameter'],
  abiMismatch: {
    wallets: [400, 155209, "ABI function signature can't pack ABI parameter"],
    contracts: [400, 177008, "ABI function signature can't pack ABI parameter"],
  },
  noSignature: {
    wallets: [400, 155230, 'No abi signature provided'],
    contracts: [400, 177008, "ABI function signature can't pack ABI parameter: none was given"],
  },
  twoCalls: {
    wallets: [400, 155247, 'Cannot provide both CallData and AbiFunctionSignature/AbiParameters'],
    contracts: [400, 177008, 'Cannot provide both CallData and AbiFunctionSignature/AbiParameters'],
  },
  ciphertextReused: {
    wallets: [
      400,
      156004,
      'Reusing an entity secret ciphertext is not allowed. Please re-encrypt the entity secret to generate new ciphertext',
    ],
    contracts: [
      400,
      177602,
      'Reusing an entity secret ciphertext is not allowed. Please re-encrypt the entity secret to generate new ciphertext',
    ],
  },
  secretInvalid: {
    wallets: [400, 156013, 'The provided entity secret is invalid'],
    contracts: [400, 177604, 'The provided entity secret is invalid'],
  },
  keyTaken: {
    wallets: [403, 156020, 'Please use a new idempotency key'],
    contracts: [409, 175403, 'Please use a new idempotency key'],
  },
  twoSenders: {
    wallets: [400, 155244, 'Cannot provide both WalletID and SourceAddress/Blockchain'],
    contracts: [400, 177016, 'cannot provide both WalletID and SourceAddress/Blockchain'],
  },
  sourceInvalid: {
    wallets: [400, 155226, 'Invalid source address'],
    contracts: [400, 175410, 'invalid address format'],
  },
  costAboveBalance: {
    wallets: [
      400,
      155204,
      "The total cost of executing transaction is higher than the balance of the user's account when estimating fee",
    ],
    contracts: [
      400,
      177004,
      "the total cost of executing transaction is higher than the balance of the user's account when estimating fee",
    ],
  },
  tokensShort: {
    wallets: [
      400,
      155205,
      'Failed to execute this request on EVM due to insufficient tokens when the estimating gas fee',
    ],
    contracts: [
      400,
      177003,
      'failed to execute this request on EVM due to insufficient token when estimating fee',
    ],
  },
  estimateReverted: {
    wallets: [400, 155208, 'Estimate fee execution reverted'],
    contracts: [400, 177007, 'estimate fee execution reverted'],
  },
  noFee: {
    wallets: [400, 155231, 'Transaction needs feeLevel or gasLimit provided'],
    contracts: [400, 177011, 'transaction needs feeLevel or gasLimit provided'],
  },
  noFeeLevel: {
    wallets: [400, 155232, 'SCA transaction needs feeLevel provided'],
    contracts: [400, 177012, 'SCA transaction needs feeLevel provided'],
  },
  gasLimitTooLow: [
    400,
    155233,
    'Provided gasLimit is too low to complete the requested transaction',
  ],
  levelAndFees: [400, 155234, "Transaction can't have both feeLevel and fee parameters provided"],
  noFees: {
    wallets: [400, 155235, 'EIP1559 chains need maxFee/priorityFee provided'],
    contracts: [400, 177013, 'EIP1559 chains need maxFee/priorityFee provided'],
  },
  feeInvalid: [400, 155236, 'The provided fee in request is invalid'],
  priorityAboveMax: {
    wallets: [
      400,
      155237,
      'PriorityFee cannot be larger than maxFee in creating transaction request',
    ],
    contracts: [
      400,
      177014,
      'priorityFee cannot be larger than maxFee in creating transaction request',
    ],
  },
  feeAboveCap: {
    wallets: [400, 155211, 'MaxFee * GasLimit exceeded the maximum permitted transaction gas fee'],
    contracts: [
      400,
      177010,
      'MaxFee * GasLimit exceeds configurable max transaction fee (default is 1 native token)',
    ],
  },
  gasAboveAllowance: {
    wallets: [400, 155207, 'Gas required exceeds the maximum allowance for the account'],
    contracts: [400, 177006, 'gas required exceeds allowance when estimating fee'],
  },
  noBlockchain: {
    wallets: [400, 156027, 'The specified blockchain is either not supported or deprecated.'],
    contracts: [400, 175402, 'the specified blockchain is either not supported or deprecated'],
  },
  otherBlockchain: {
    wallets: [400, 155225, "Wallet and request's blockchain mismatch."],
    contracts: [400, 177024, "Wallet and request's blockchain mismatch."],
  },
} as const;

type Row = readonly [status: number, code: number, message: string];

/** The error of a named fault, as the side of the service that meets it words it. */
export function fault(
  name: keyof typeof faults,
  side: Side = 'wallets',
  detail?: string,
): ApiError {
  const entry: Row | Record<Side, Row> = faults[name];
  const [status, code, message] = isRow(entry) ? entry : entry[side];
  const words = detail === undefined ? message : `${message.replace(/\.$/, '')}: ${detail}`;
  return new ApiError(words, { status, code });
}

function isRow(entry: Row | Record<Side, Row>): entry is Row {
  return Array.isArray(entry);
}

/** A 400 with one of the service's codes. */
export function refusal(code: number, message: string): ApiError {
  return new ApiError(message, { status: 400, code });
}

/** A 400 that names the faulty fields, as the service does before it looks at anything else. */
export function invalid(errors: readonly FieldFault[]): ApiError {
  return new ApiError('API parameter invalid', { status: 400, code: 2, errors });
}
