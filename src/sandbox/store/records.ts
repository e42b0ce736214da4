import type { AbiParameter } from '../../custody/endpoints';
import type { EstimatedFee, FeeLevel, Transaction } from '../../custody/transaction';
import type { Wallet, WalletSet } from '../../custody/wallet';
import type { Fate } from '../control/faultRule';
import type { ScreeningMatch } from '../engine/screening';
import { type Stage, type Vocabulary, wireState } from '../lifecycle';

export type Hex = `0x${string}`;

/** What the sandbox keeps of each noun. JSON: amounts are decimal strings of base units. */
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
  /** Of an SCA: what it says that its account is; an upgrade changes it. */
  scaCore?: string;
  name: string | undefined;
  refId: string | undefined;
  createdAtMs: number;
  /** Once its name or reference has been changed. */
  updatedAtMs?: number;
  /** By a screening rule: nothing new may leave it. */
  frozen?: boolean;
  /** Of a smart account that is on the chain. */
  deployed?: boolean;
};

/** A call as it is kept; its value is in base units of the native coin. */
export type PlannedCall = { to: Hex; value: string; data: Hex };

export type TransactionRow = {
  id: string;
  walletId: string;
  /** OUTBOUND where it does not say. */
  transactionType?: 'INBOUND' | 'OUTBOUND';
  stage: Stage;
  createdAtMs: number;
  updatedAtMs: number;
  /** What is carried out on the chain, from the wallet's account; nothing, where INBOUND. */
  call?: PlannedCall;
  operation: 'TRANSFER' | 'CONTRACT_EXECUTION';
  sourceAddress: Hex;
  /** What the request offers for gas: a level, or prices in wei; a limit with either. */
  feeLevel?: FeeLevel;
  gasLimit?: string;
  maxFeePerGas?: string;
  maxPriorityFeePerGas?: string;
  refId?: string;
  amounts: string[];
  /** Of an ERC-721 or ERC-1155 token. */
  nftTokenIds?: string[];
  tokenId?: string;
  destinationAddress?: string;
  contractAddress?: string;
  abiFunctionSignature?: string;
  abiParameters?: AbiParameter[];
  /** Where it upgrades its wallet: the core that the wallet has once it is COMPLETE. */
  newScaCore?: string;
  /** Where it deploys one: the contract whose record follows this transaction. */
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
  /** What a fault plan wants to become of it. */
  fate?: Fate;
  /** What screening has found, where a rule matched. */
  screening?: ScreeningMatch;
};

/** What a transaction does on the chain, as the chain takes it. */
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
  /** Known once it has been mined; a rebuilt chain is held against it. */
  hash?: Hex;
};

/** Of a token that was chosen to be monitored; its id is the token's. */
export type MonitoredTokenRow = {
  id: string;
  symbol: string;
  address: Hex | undefined;
  createdAtMs: number;
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
    ...given('scaCore', row.scaCore),
    createDate: date,
    updateDate: isoSeconds(row.updatedAtMs ?? row.createdAtMs),
  };
}

/** Whether a wallet of the service has sent or received. */
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
    ...given('tokenId', row.tokenId),
    ...given('destinationAddress', row.destinationAddress?.toLowerCase()),
    ...given('contractAddress', shownContract(row)?.toLowerCase()),
    transactionType: transactionType(row),
    custodyType: 'DEVELOPER',
    state: wireState(row.stage, shown.vocabulary),
    ...(isTransfer || row.screening
      ? { transactionScreeningEvaluation: screeningEvaluation(row) }
      : {}),
    amounts: row.amounts,
    nfts: row.nftTokenIds?.map((nftTokenId) => JSON.stringify({ nftTokenId })) ?? null,
    ...given('txHash', row.txHash),
    ...given('blockHash', row.blockHash),
    ...given('blockHeight', row.blockHeight),
    ...given('userOpHash', row.userOpHash),
    networkFee: row.networkFee ?? '',
    ...given('firstConfirmDate', row.confirmedAtMs && isoSeconds(row.confirmedAtMs)),
    operation: row.operation,
    ...given('feeLevel', row.feeLevel),
    ...given('estimatedFee', row.estimatedFee),
    ...given('refId', row.refId),
    ...given('abiFunctionSignature', row.abiFunctionSignature),
    abiParameters: row.abiParameters?.map(inWords) ?? null,
    ...given('errorReason', row.errorReason),
    ...given('errorDetails', onOneLine(row.errorDetails)),
    createDate: isoSeconds(row.createdAtMs),
    updateDate: isoSeconds(row.updatedAtMs),
  };
}

/** The contract that it calls; the one that it deploys only once that is there. */
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
  return details?.trim().replace(/\s*\n\s*/g, ' ');
}

function screeningEvaluation({ screening, createdAtMs }: TransactionRow) {
  return { screeningDate: isoSeconds(createdAtMs), ...screening };
}

/** A field that is left out while it has no value. */
export function given<Key extends string, Value>(
  key: Key,
  value: Value | undefined | 0,
): Partial<Record<Key, Value>> {
  return value === undefined || value === 0 ? {} : ({ [key]: value } as Record<Key, Value>);
}
