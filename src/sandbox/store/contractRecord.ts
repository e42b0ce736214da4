import type { Contract } from '../../custody/contract';
import { type ContractRow, given, onOneLine, type Shown } from './records';

type Abi = readonly { type: string; name?: string }[];

/** The record of a contract, with its interface. */
export function toContract(row: ContractRow, shown: Shown & { abi: Abi }): Contract {
  const { abi } = shown;
  return {
    id: row.id,
    blockchain: shown.blockchain,
    name: row.name,
    ...given('description', row.description),
    status: row.status,
    ...(row.mined ? { contractAddress: row.contractAddress.toLowerCase() } : {}),
    contractInputType: 'TEMPLATE',
    archived: false,
    verificationStatus: 'UNVERIFIED',
    sourceCode: [],
    functions: parsed(abi, 'function'),
    events: parsed(abi, 'event'),
    abiJson: JSON.stringify(abi),
    deployerAddress: row.deployerAddress.toLowerCase(),
    deployerWalletID: row.walletId,
    deploymentTransactionId: row.deploymentTransactionId,
    ...given('txHash', row.txHash),
    ...given('deploymentErrorReason', row.errorReason),
    ...given('deploymentErrorDetails', onOneLine(row.errorDetails)),
    createDate: new Date(row.createdAtMs).toISOString(),
    updateDate: new Date(row.updatedAtMs).toISOString(),
  };
}

/** As the service parses an ABI: without the compiler's own `internalType`. */
function parsed(abi: Abi, wanted: string): unknown[] {
  return JSON.parse(JSON.stringify(abi.filter(({ type }) => type === wanted)), (key, value) =>
    key === 'internalType' ? undefined : value,
  );
}
