import { z } from 'zod';
import type { Input } from '../../../src/custody/endpoints';
import { isYes } from '../../../src/custody/endpoints/endpoint';
import { operations, transactionTypes } from '../../../src/custody/objects/transaction';
import { fault } from '../../errors/errors';
import { invalidField } from '../../errors/fieldFaults';
import { readPage } from '../../store/page';
import { selectedTokens } from '../../store/records/monitoredTokens';
import { toTransaction, transactionType } from '../../store/records/records';
import { stagesOf } from '../../store/records/stages';
import { requireWalletBlockchain } from '../../store/records/walletBlockchain';
import { isValidAddress } from '../address';
import type { SandboxApi, Service } from '../service';

/** Transactions, as they stand now, and addresses that they could go to. */
export function transactionHandlers(service: Service) {
  const { reads, shown } = service;
  return {
    getTransaction: async ({ id, txType }) => {
      const types = typesOf(txType);
      const row = reads.transactions.get(id);
      if (row === undefined || !types.includes(transactionType(row))) {
        throw fault('noTransaction');
      }
      return { transaction: toTransaction(row, shown) };
    },

    listTransactions: async (input, options) => {
      const filters = filtersOf(service, input);
      const rows = readPage(reads.transactions, { input, filters, paged: options?.paged });
      return { transactions: rows.map((row) => toTransaction(row, shown)) };
    },

    validateAddress: async ({ address, blockchain }) => {
      requireWalletBlockchain(blockchain, shown.blockchain);
      return { isValid: isValidAddress(address) };
    },
  } satisfies Partial<SandboxApi>;
}

function filtersOf({ store, shown }: Service, input: Input<'listTransactions'>) {
  const { blockchain = shown.blockchain, custodyType, state, operation, txType } = input;
  const isNone = blockchain !== shown.blockchain || custodyType === 'ENDUSER';
  const stage = state === undefined ? undefined : stagesOf(state, shown.vocabulary);
  if (stage?.length === 0) throw invalidField(input, 'state', 'Unknown state');
  const walletId = input.walletIds?.split(',').map((id) => id.trim());
  if (walletId?.some((id) => !z.guid().safeParse(id).success)) {
    throw invalidField(input, 'walletIds', 'Invalid UUID');
  }
  const selected = isYes(input.includeAll) ? undefined : selectedTokens(store);
  const types = typesOf(txType);
  const kinds = operations
    .filter((one) => operation === undefined || operation === one)
    .flatMap((one) => types.map((type) => `${type} ${one}`));
  // An index that has the stage has the kind too, so that a stage is asked for with all of them.
  const isOfKind = operation !== undefined || txType !== undefined || stage !== undefined;
  return {
    id: isNone ? [] : undefined,
    walletId: walletId && [...new Set(walletId)],
    destinationAddress: input.destinationAddress?.toLowerCase(),
    stage,
    kind: isOfKind ? kinds : undefined,
    txHash: input.txHash?.toLowerCase(),
    // A transaction without a token is always listed.
    tokenId: selected && ['', ...selected],
  };
}

/** The types that a filter lets through. */
function typesOf(txType: string | undefined): readonly string[] {
  const types = transactionTypes.filter((type) => txType === undefined || txType === type);
  if (types.length === 0) throw fault('transactionTypeInvalid');
  return types;
}
