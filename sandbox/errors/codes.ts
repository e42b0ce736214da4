/**
 * The codes of the service that this sandbox answers, by kind of fault. See docs/parity.md. Each
 * line has the HTTP status, the code, and the words of the vendor's SDK, where it has any. Wallets
 * and contracts are two sides of the service, each with codes of its own. Code 2, for malformed
 * input, is in errors.ts.
 */
export const faults = {
  malformedKey: '401 401 Malformed authorization. Are the credentials properly encoded?',
  unknownKey: {
    wallets: '401 156007 TEST_API key or LIVE_API key is not found for the request.',
    contracts: '401 175405 TEST_API key or LIVE_API key is not found for the request',
  },
  wrongEnvironment: {
    wallets:
      '400 156006 TEST_API key cannot be used with blockchain mainnets, or LIVE_API key cannot be used with blockchain testnets.',
    contracts:
      '400 175404 TEST_API key cannot be used with blockchain mainnets, or LIVE_API key cannot be used with blockchain testnets',
  },
  tooManyRequests: '429 429 Too many requests.',
  ciphertextReused: {
    wallets:
      '400 156004 Reusing an entity secret ciphertext is not allowed. Please re-encrypt the entity secret to generate new ciphertext.',
    contracts:
      '400 177602 reusing an entity secret ciphertext is not allowed. Please re-encrypt the entity secret to generate new ciphertext',
  },
  secretInvalid: {
    wallets: '400 156013 The provided entity secret is invalid.',
    contracts: '400 177604 the provided entity secret is invalid',
  },
  secretNotSet: {
    wallets:
      '403 156016 The entity secret has not been set yet. Please provide encrypted ciphertext in the console.',
    contracts:
      '400 177605 the entity secret has not been set yet. Please provide encrypted ciphertext in the console',
  },
  secretAlreadySet: '409 156015 The secret for this entity has already been set.',
  idIsNoUuid: {
    wallets: '400 156009 Fail to parse id as UUID in url.',
    contracts: '400 175401 failed to parse id as UUID in url',
  },
  cursorIsNoUuid: {
    wallets:
      '400 156014 Pagination params are invalid. Only UUID format is supported for pageBefore and pageAfter.',
    contracts: '404 175408 can not find corresponding pagination cursor in the system',
  },
  noCursor: {
    wallets: '404 156012 Cannot find corresponding pagination cursor in the system.',
    contracts: '404 175408 can not find corresponding pagination cursor in the system',
  },
  tooManyWalletSets: '403 155502 Max amount of wallets (tentative 1M) reached under 1 wallet set.',
  notFound: '404 404 Resource not found',
  noSubscription: '404 404 Not found.',
  noNotificationKey: '404 404 Not found.',
  tooManySubscriptions: '400 400 There may be 20 webhook subscriptions; delete one first.',
  noWallet: {
    wallets:
      "404 156001 Cannot find target wallet in the system. Either the specified wallet doesn't exist or it's not accessible to the caller.",
    contracts:
      "400 177601 cannot find target wallet in the system. Either the specified wallet doesn't exist or it's not accessible to the caller",
  },
  walletFrozen: {
    wallets: '409 155501 Frozen wallets can not be updated or interact with, only query.',
    contracts: '400 177301 wallet is Frozen',
  },
  tooManyPending: {
    wallets:
      '400 155264 Wait for pending transactions to be included on the blockchain before submitting new requests. EVM chains restrict the number of queued transactions per sender address.',
    contracts:
      '400 177026 Wait for pending transactions to be included on the blockchain before submitting new requests. EVM chains restrict the number of queued transactions per sender address.',
  },
  firstInProgress: {
    wallets:
      '400 155505 SCA wallet needs to wait for first-time transaction to be queued before processing more transactions.',
    contracts: '400 177303 SCA wallet first-time transaction is still in progress',
  },
  noToken:
    "404 156002 Cannot find target token in the system. Either the specified token doesn't exist or it's not accessible to the caller.",
  noItem: '404 156011 Cannot find target nftTokenId in the system.',
  notOwner:
    "400 155206 The sender address is not the token owner or the sender wasn't approved to commit this transaction.",
  noTransaction:
    "404 156003 Cannot find target transaction in the system. Either the specified transaction doesn't exist or it's not accessible to the caller.",
  noWalletSet:
    "404 156005 Cannot find target wallet set in the system. Either no such wallet set, or it's not accessible to the caller.",
  abiMismatch: {
    wallets: "400 155209 ABI function signature can't pack ABI parameter.",
    contracts: "400 177008 ABI function signature can't pack ABI parameter",
  },
  noSignature: {
    wallets: '400 155230 No abi signature provided.',
    contracts: "400 177008 ABI function signature can't pack ABI parameter: none was given",
  },
  twoCalls: {
    wallets: '400 155247 Cannot provide both CallData and AbiFunctionSignature/AbiParameters.',
    contracts:
      "400 177008 ABI function signature can't pack ABI parameter: both callData and a signature are given",
  },
  keyTaken: {
    wallets: '403 156020 Please use a new idempotency key.',
    contracts: '409 175403 please use a new idempotency key',
  },
  twoSenders: {
    wallets: '400 155244 Cannot provide both WalletID and SourceAddress/Blockchain.',
    contracts: '400 177016 cannot provide both WalletID and SourceAddress/Blockchain',
  },
  sourceInvalid: {
    wallets: '400 155226 Invalid source address.',
    contracts: '400 175410 invalid address format',
  },
  costAboveBalance: {
    wallets:
      "400 155204 The total cost of executing transaction is higher than the balance of the user's account when estimating fee.",
    contracts:
      "400 177004 the total cost of executing transaction is higher than the balance of the user's account when estimating fee",
  },
  tokensShort: {
    wallets:
      '400 155205 Failed to execute this request on EVM due to insufficient tokens when the estimating gas fee.',
    contracts:
      '400 177003 failed to execute this request on EVM due to insufficient token when estimating fee',
  },
  estimateReverted: {
    wallets: '400 155208 Estimate fee execution reverted.',
    contracts: '400 177007 estimate fee execution reverted',
  },
  noFee: {
    wallets: '400 155231 Transaction needs feeLevel or gasLimit provided.',
    contracts: '400 177011 transaction needs feeLevel or gasLimit provided',
  },
  noFeeLevel: {
    wallets: '400 155232 SCA transaction needs feeLevel provided.',
    contracts: '400 177012 SCA transaction needs feeLevel provided',
  },
  gasLimitTooLow: '400 155233 Provided gasLimit is too low to complete the requested transaction.',
  levelAndFees: "400 155234 Transaction can't have both feeLevel and fee parameters provided.",
  noFees: {
    wallets: '400 155235 EIP1559 chains need maxFee/priorityFee provided.',
    contracts: '400 177013 EIP1559 chains need maxFee/priorityFee provided',
  },
  feeInvalid: '400 155236 The provided fee in request is invalid.',
  priorityAboveMax: {
    wallets: '400 155237 PriorityFee cannot be larger than maxFee in creating transaction request.',
    contracts:
      '400 177014 priorityFee cannot be larger than maxFee in creating transaction request',
  },
  feeAboveCap: {
    wallets: '400 155211 MaxFee * GasLimit exceeded the maximum permitted transaction gas fee.',
    contracts:
      '400 177010 MaxFee * GasLimit exceeds configurable max transaction fee (default is 1 native token)',
  },
  gasAboveAllowance: {
    wallets:
      '400 155207 Gas required exceeds the maximum allowance for the account. This is based on the gas fee estimate amount.',
    contracts: '400 177006 gas required exceeds allowance when estimating fee',
  },
  noBlockchain: {
    wallets: '400 156027 The specified blockchain is either not supported or deprecated.',
    contracts: '400 175402 the specified blockchain is either not supported or deprecated',
  },
  notOnBlockchain: {
    wallets: '400 155510 The operation is not supported on the blockchain you specify.',
    contracts: '400 175402 the specified blockchain is either not supported or deprecated',
  },
  noScaOnBlockchain: '400 155507 SCA account is not supported on the given blockchain.',
  otherBlockchain: {
    wallets: "400 155225 Wallet and request's blockchain mismatch.",
    contracts: "400 177024 Wallet and request's blockchain mismatch.",
  },
  destinationInvalid: '400 155219 Invalid destination address.',
  executionAmountInvalid: '400 155245 Invalid amount in contract execution request.',
  noTokenId: '400 155228 Missing token ID.',
  tokenAddressInvalid: '400 155239 Invalid token address for transfer.',
  tokenStandardInvalid: '400 155240 Invalid token standard for transfer.',
  notDecimal: '400 155224 Failed to parse the provided amounts in request to decimals.',
  amountsInvalid: '400 155221 Invalid amounts in transfer request.',
  itemCountInvalid: '400 155218 Invalid number of nft in transaction request.',
  lengthsDiffer: "400 155242 The lengths of amounts and nft tokens don't match.",
  holdsTooLittle:
    '400 155258 The asset amount owned by the wallet is insufficient for the transaction.',
  metadataLength:
    '400 155503 Metadata array length needs to match wallet count in create developer wallets request.',
  transactionTypeInvalid: '400 155227 Invalid transaction type.',
  notEligible: '400 155229 Transaction is not eligible for operation.',
  otherAccountType: '400 155515 The provided wallet account type is not supported by this API.',
  notDeployedYet: '400 155514 circle_4337_v1 SCA wallet must be deployed before being upgraded.',
  notDeployed: '400 155517 The SCA wallet is not deployed onchain.',
  transactionInvalid: '400 155801 Transaction or rawTransaction is invalid.',
  otherSigner: '400 155803 Not signer account.',
  alreadySigned: '400 155804 Transaction already signed.',
  notDeserialized: '400 155805 Transaction failed to deserialize.',
  otherChainId: '400 155807 The chain ID is not supported for signing.',
  noChainId: '400 155808 The chain ID is missing in sign request.',
  notHexEncoded:
    '409 156023 EncodedByHex is true in sign request, but the message is not hex encoded.',
  notJson: '400 156024 Data is not a valid JSON string in sign request.',
  messageInvalid: '400 156025 Invalid message in request.',
  typedDataInvalid: '400 156026 Invalid typed data in request.',
  noContract: '404 175001 contract not found',
  constructorLength: '400 175003 constructor parameters length must match constructor signature',
  contractExists: '409 175004 contract already exists',
  notAContract: '400 175005 address is not a contract address',
  contractArchived: '400 175006 contract is archived',
  invalidAbiJson: '400 175007 invalid ABI JSON',
  nestedProxy: '400 175008 multi-layered proxies are not supported',
  deploymentPending: '400 175009 contract deployment pending',
  noFunction: '400 175010 ABI function not found',
  emptyUpdate: '400 175011 empty update on a contract',
  queryFailed: '400 175012 unable to query contract',
  noTemplate: '404 175201 template not found',
  parameterInvalid: '400 175203 invalid template deployment parameter',
  parameterMissing: '400 175204 missing required template deployment parameter',
  noMonitor: '404 175301 event subscription not found',
  monitorExists: '409 175302 event subscription already exists',
  noEvent: '400 175303 the specified event signature does not exist',
  addressInvalid: '400 175410 invalid address format',
  noBytecode: '400 177015 missing bytecode for contract deployment',
} as const;
