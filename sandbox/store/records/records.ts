import type { AbiParameter } from '../../../src/custody/endpoints';
import type { EstimatedFee, FeeLevel, Transaction } from '../../../src/custody/objects/transaction';
import type { Wallet, WalletSet } from '../../../src/custody/objects/wallet';
import type { Fate } from '../../faults/faultRule';
import { type TransactionStage, type Vocabulary, wireState } from './stages';

export type Hex = `0x${string}`;

/** The records of each noun. They are JSON, so amounts are decimal strings of base units. */
export type WalletSetRow = {
  id: string;
  index: number;
  name: string;
  createdAtMs: number;
  /** Once its name has been changed. */
  updatedAtMs?: number;
};

export type WalletRow = {
  id: string;
  walletSetId: string;
  /** Position in its set, which its key is derived from. */
  index: number;
  blockchain: string;
  /** With its checksum. */
  address: Hex;
  accountType: 'SCA' | 'EOA';
  /** The kind of account that an SCA says it is. An upgrade changes it. */
  scaCore?: string;
  name: string | undefined;
  refId: string | undefined;
  createdAtMs: number;
  /** Once its name or reference has been changed. */
  updatedAtMs?: number;
  /** By a screening rule: nothing new may leave it. */
  frozen?: boolean;
  /** True for a smart account that is on the chain. */
  deployed?: boolean;
};

/** The content of a screening decision beyond its date, if a rule matched. */
export type ScreeningMatch = {
  ruleName: string;
  actions: ('APPROVE' | 'REVIEW' | 'FREEZE_WALLET' | 'DENY')[];
  reasons: {
    source: 'ADDRESS';
    sourceValue: string;
    riskScore: 'BLOCKLIST' | 'SEVERE' | 'HIGH';
    riskCategories: string[];
    type: 'OWNERSHIP';
  }[];
};

/** A call as it is kept. Its value is in base units of the native coin. */
export type PlannedCall = { to: Hex; value: string; data: Hex };

/** A deployment as a call, and where the contract will be. */
export type PlannedDeployment = {
  call: PlannedCall;
  contractAddress: Hex;
  abiFunctionSignature: string;
};

export type TransactionRow = {
  id: string;
  walletId: string;
  /** OUTBOUND where it does not say. */
  transactionType?: 'INBOUND' | 'OUTBOUND';
  stage: TransactionStage;
  createdAtMs: number;
  updatedAtMs: number;
  /** The call that the wallet's account makes on the chain. INBOUND transactions have none. */
  call?: PlannedCall;
  operation: 'TRANSFER' | 'CONTRACT_EXECUTION';
  sourceAddress: Hex;
  /** The request's offer for gas: a level, or prices in wei. A limit with either. */
  feeLevel?: FeeLevel;
  gasLimit?: string;
  maxFeePerGas?: string;
  maxPriorityFeePerGas?: string;
  refId?: string;
  amounts: string[];
  /** The items of an ERC-721 or ERC-1155 token. */
  nftTokenIds?: string[];
  tokenId?: string;
  destinationAddress?: string;
  contractAddress?: string;
  abiFunctionSignature?: string;
  abiParameters?: AbiParameter[];
  /** For an upgrade of its wallet: the core that the wallet has once this is COMPLETE. */
  newScaCore?: string;
  /** For a deployment: the contract whose record follows this transaction. */
  contractId?: string;
  estimatedFee?: EstimatedFee;
  txHash?: string | undefined;
  userOpHash?: string;
  blockHash?: string;
  blockHeight?: number;
  networkFee?: string;
  confirmedAtMs?: number;
  errorReason?: string | undefined;
  errorDetails?: string | undefined;
  /** The fate that a fault plan gives it. */
  fate?: Fate;
  /** The match of screening, if a rule matched. */
  screening?: ScreeningMatch;
};

/** The call of a transaction, in the chain's form. */
export function callOf(row: Pick<TransactionRow, 'id' | 'call'>) {
  if (row.call === undefined) throw new Error(`Transaction ${row.id} carries nothing out.`);
  return toCall(row.call);
}

/** A kept call, as the chain takes it. */
export function toCall(call: PlannedCall) {
  return { ...call, value: BigInt(call.value) };
}

/** A block as it must be mined again should the chain be lost. */
export type BlockRow = {
  number: number;
  timestampS: number;
  transactions: Hex[];
  /** Known once it has been mined. A rebuilt chain is compared with it. */
  hash?: Hex;
};

export type Shown = { blockchain: string; vocabulary: Vocabulary };

/** Whole seconds, as the service writes the dates of wallets and transactions. */
export function isoSeconds(atMs: number): string {
  return `${new Date(atMs).toISOString().slice(0, 19)}Z`;
}

/** In the form in which the service writes the dates of contracts: to the microsecond. */
export function isoMicroseconds(atMs: number): string {
  return `${new Date(atMs).toISOString().slice(0, -1)}000Z`;
}

export function toWalletSet(row: WalletSetRow): WalletSet {
  return {
    id: row.id,
    custodyType: 'DEVELOPER',
    name: row.name,
    createDate: isoSeconds(row.createdAtMs),
    updateDate: isoSeconds(row.updatedAtMs ?? row.createdAtMs),
  };
}

export function toWallet(row: WalletRow): Wallet {
  const date = isoSeconds(row.createdAtMs);
  return {
    id: row.id,
    state: row.frozen ? 'FROZEN' : 'LIVE',
    walletSetId: row.walletSetId,
    custodyType: 'DEVELOPER',
    refId: row.refId ?? '',
    name: row.name ?? '',
    address: row.address.toLowerCase(),
    blockchain: row.blockchain,
    accountType: row.accountType,
    ...presentField('scaCore', row.scaCore),
    createDate: date,
    updateDate: isoSeconds(row.updatedAtMs ?? row.createdAtMs),
  };
}

/** The direction of a transaction: INBOUND if a wallet of the service received it. */
export function transactionType(row: TransactionRow): 'INBOUND' | 'OUTBOUND' {
  return row.transactionType ?? 'OUTBOUND';
}

export function toTransaction(row: TransactionRow, shown: Shown): Transaction {
  const isTransfer = row.operation === 'TRANSFER';
  return {
    id: row.id,
    blockchain: shown.blockchain,
    walletId: row.walletId,
    sourceAddress: row.sourceAddress.toLowerCase(),
    ...presentField('tokenId', row.tokenId),
    ...presentField('destinationAddress', row.destinationAddress?.toLowerCase()),
    ...presentField('contractAddress', shownContract(row)?.toLowerCase()),
    transactionType: transactionType(row),
    custodyType: 'DEVELOPER',
    state: wireState(row.stage, shown.vocabulary),
    ...(isTransfer || row.screening
      ? { transactionScreeningEvaluation: screeningEvaluation(row) }
      : {}),
    amounts: row.amounts,
    nfts: row.nftTokenIds?.map((nftTokenId) => JSON.stringify({ nftTokenId })) ?? null,
    ...presentField('txHash', row.txHash),
    ...presentField('blockHash', row.blockHash),
    ...presentField('blockHeight', row.blockHeight),
    ...presentField('userOpHash', row.userOpHash),
    networkFee: row.networkFee ?? '',
    ...presentField('firstConfirmDate', row.confirmedAtMs && isoSeconds(row.confirmedAtMs)),
    operation: row.operation,
    ...presentField('feeLevel', row.feeLevel),
    ...presentField('estimatedFee', row.estimatedFee),
    ...presentField('refId', row.refId),
    ...presentField('abiFunctionSignature', row.abiFunctionSignature),
    abiParameters: row.abiParameters?.map(inWords) ?? null,
    ...presentField('errorReason', row.errorReason),
    ...presentField('errorDetails', onOneLine(row.errorDetails)),
    createDate: isoSeconds(row.createdAtMs),
    updateDate: isoSeconds(row.updatedAtMs),
  };
}

/** The contract that it calls. A deployment shows its contract once it is there. */
function shownContract({ contractId, contractAddress, stage }: TransactionRow) {
  const isThere = stage === 'CONFIRMED' || stage === 'COMPLETE';
  return contractId === undefined || isThere ? contractAddress : undefined;
}

/** A parameter as the interface has it: text, or a list of such. */
function inWords(parameter: AbiParameter): AbiParameter {
  return Array.isArray(parameter) ? parameter.map(inWords) : String(parameter);
}

/** Details as a log can have them. */
export function onOneLine(details: string | undefined): string | undefined {
  const lines = details?.split('\n').map((line) => line.trim());
  return lines?.filter((line) => line !== '').join(' ');
}

function screeningEvaluation({ screening, createdAtMs }: TransactionRow) {
  return { screeningDate: isoSeconds(createdAtMs), ...screening };
}

/** A field that is left out while it has no value. */
export function presentField<Key extends string, Value>(
  key: Key,
  value: Value | undefined | 0,
): Partial<Record<Key, Value>> {
  return value === undefined || value === 0 ? {} : ({ [key]: value } as Record<Key, Value>);
}
