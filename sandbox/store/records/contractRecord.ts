import type { Abi } from 'viem';
import type { Contract } from '../../../src/custody/objects/contract';
import { type Hex, isoMicroseconds, onOneLine, presentField, type Shown } from './records';

/** A contract that was deployed from a wallet, or was there and has been imported. */
export type ContractRow = {
  id: string;
  name: string;
  description: string | undefined;
  inputType: 'TEMPLATE' | 'BYTECODE' | 'IMPORT';
  archived: boolean;
  /** The template of a clone, whose interface it has. */
  templateId?: string;
  /** The interface of any other, as it was given or found, if it was. */
  abiJson?: string | undefined;
  /** The wallet and transaction that deployed it. Not known of an imported one. */
  walletId?: string;
  deployerAddress?: Hex;
  deploymentTransactionId?: string;
  /** Known from the start by CREATE2. Shown once it is mined. */
  contractAddress: Hex;
  status: 'PENDING' | 'COMPLETE' | 'FAILED';
  mined: boolean;
  txHash?: string;
  errorReason?: string | undefined;
  errorDetails?: string | undefined;
  createdAtMs: number;
  updatedAtMs: number;
};

/** The record of a contract, with its interface where that is known. */
export function toContract(
  row: ContractRow,
  { blockchain, abi }: Pick<Shown, 'blockchain'> & { abi: Abi | undefined },
): Contract {
  return {
    id: row.id,
    blockchain,
    name: row.name,
    ...presentField('description', row.description),
    status: row.status,
    ...(row.mined ? { contractAddress: row.contractAddress.toLowerCase() } : {}),
    contractInputType: row.inputType,
    archived: row.archived,
    // There is no explorer here that could have verified it.
    verificationStatus: 'UNVERIFIED',
    sourceCode: [],
    functions: parsed(abi, 'function'),
    events: parsed(abi, 'event'),
    ...presentField('abiJson', row.abiJson ?? (abi && JSON.stringify(abi))),
    ...presentField('deployerAddress', row.deployerAddress?.toLowerCase()),
    ...presentField('deployerWalletID', row.walletId),
    ...presentField('deploymentTransactionId', row.deploymentTransactionId),
    ...presentField('txHash', row.txHash),
    ...presentField('deploymentErrorReason', row.errorReason),
    ...presentField('deploymentErrorDetails', onOneLine(row.errorDetails)),
    createDate: isoMicroseconds(row.createdAtMs),
    updateDate: isoMicroseconds(row.updatedAtMs),
  };
}

/** As the service parses an ABI: without the compiler's own `internalType`. */
function parsed(abi: Abi = [], wanted: string): unknown[] {
  return JSON.parse(JSON.stringify(abi.filter(({ type }) => type === wanted)), (key, value) =>
    key === 'internalType' ? undefined : value,
  );
}
