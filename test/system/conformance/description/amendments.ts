import type { EndpointName } from '../../../../src/custody/endpoints';
import { newerPaths } from './newerPaths';

export type DocumentName =
  | 'configurations'
  | 'developer-controlled-wallets'
  | 'smart-contract-platform';

/** A difference between the descriptions of November 2025 and the service, with its reason. */
export type Amendment = {
  documents: readonly DocumentName[];
  /** Path of the schema inside the document. */
  at: readonly string[];
  /** Lists are appended to, objects are merged. */
  add: Record<string, unknown>;
  reason: string;
};

const everywhere = [
  'configurations',
  'developer-controlled-wallets',
  'smart-contract-platform',
] as const;
const text = { type: 'string' };

/** All allowed differences. */
export const amendments: readonly Amendment[] = [
  ...newerPaths,
  {
    documents: ['configurations'],
    at: ['paths', '/v1/w3s/config/entity/monitoredTokens', 'get', 'responses'],
    add: { 204: {} },
    reason: 'The page on monitored tokens has it, while none were ever set.',
  },
  {
    documents: everywhere,
    at: ['components', 'schemas', 'Blockchain'],
    add: { enum: ['ARC-TESTNET'] },
    reason: 'Arc joined the enum just after these files were written.',
  },
  {
    documents: ['configurations'],
    at: ['components', 'schemas', 'TestnetBlockchain'],
    add: { enum: ['ARC-TESTNET'] },
    reason: 'Arc joined the enum just after these files were written.',
  },
  {
    documents: ['developer-controlled-wallets'],
    at: ['components', 'schemas', 'TransactionState'],
    add: { enum: ['STUCK', 'PENDING'] },
    reason: 'STUCK is newer than these files. PENDING is the interface document’s word.',
  },
  {
    documents: ['developer-controlled-wallets'],
    at: ['components', 'schemas', 'Transaction', 'properties'],
    add: { userOpHash: text },
    reason: 'The interface document and real records of SCA wallets have it.',
  },
  {
    documents: ['developer-controlled-wallets'],
    at: ['components', 'schemas', 'Transaction', 'properties', 'nfts'],
    add: { nullable: true },
    reason: 'Null in the interface document and in real records.',
  },
  {
    documents: ['developer-controlled-wallets'],
    at: ['components', 'schemas', 'AbiParameters'],
    add: { nullable: true },
    reason: 'Null for transfers in the interface document and in real records.',
  },
  {
    documents: ['developer-controlled-wallets'],
    at: ['components', 'schemas', 'WalletSet', 'properties'],
    add: { name: text },
    reason: 'The interface document lists it among the fields of a wallet set.',
  },
  {
    documents: ['smart-contract-platform'],
    at: ['components', 'schemas', 'EventMonitor', 'properties'],
    add: { contractId: text, contractName: text, createDate: text, updateDate: text },
    reason: 'Arc’s tutorial on events shows them. The dates are required and not described.',
  },
  {
    documents: ['smart-contract-platform'],
    at: ['components', 'schemas', 'EventLog', 'properties'],
    add: {
      subscriptionId: text,
      contractId: text,
      contractName: text,
      decodedTopics: {},
      decodedData: {},
      createDate: text,
      updateDate: text,
    },
    reason: 'Arc’s tutorial on events shows them. The decoded data is null.',
  },
  {
    documents: ['configurations', 'developer-controlled-wallets'],
    at: ['components', 'responses', 'BadRequest', 'content', 'application/json', 'schema'],
    add: { properties: { errors: { type: 'array' } } },
    reason: 'The page on errors shows the list of faulty fields with code 2.',
  },
  {
    documents: ['smart-contract-platform'],
    at: ['components', 'schemas', 'Error'],
    add: { properties: { errors: { type: 'array' } } },
    reason: 'The page on errors shows the list of faulty fields with code 2.',
  },
];

/** Endpoints that always refuse on this chain, so that no success can be tested. */
export const refusedHere: Readonly<Partial<Record<EndpointName, string>>> = {
  signDelegateAction: 'Only for wallets of NEAR.',
};

/** Statuses of errors that a document does not name. Their bodies are those of its 400. */
export const furtherStatuses: Readonly<
  Record<DocumentName, { statuses: readonly number[]; reason: string }>
> = {
  configurations: { statuses: [], reason: 'None.' },
  'developer-controlled-wallets': {
    statuses: [401],
    reason: 'Estimates and balances declare no 401, but want an API key like every call.',
  },
  'smart-contract-platform': {
    statuses: [401, 403, 404, 409],
    reason: 'The table of codes gives them to 175001, 175201, 175403 and others.',
  },
};
