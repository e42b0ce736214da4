import { createHash } from 'node:crypto';
import { type Column, indexName, type Table } from './list';
import type { BroadcastRow } from './records/broadcasts';
import type { ContractRow } from './records/contractRecord';
import type { EventLogRow, MonitorRow } from './records/eventRecords';
import type { NoticeRow } from './records/notices';
import type { TransactionRow, WalletRow, WalletSetRow } from './records/records';
import type { SubscriptionRow } from './records/subscriptionRecord';
import type { MonitoredTokenRow, SandboxToken } from './records/tokenRecord';

/** The columns and the indexes by which wallet sets, wallets and other records are found. */
const walletSets = table<WalletSetRow>()('walletSets', {}, []);

const wallets = table<WalletRow>()(
  'wallets',
  {
    address: ({ address }) => address,
    walletSetId: ({ walletSetId }) => walletSetId,
    refId: ({ refId }) => refId,
    scaCore: ({ scaCore }) => scaCore,
    blockchain: ({ blockchain }) => blockchain,
  },
  [
    ['address'],
    ['walletSetId', 'refId'],
    ['refId'],
    ['walletSetId', 'blockchain'],
    ['walletSetId'],
    ['scaCore'],
    ['blockchain'],
  ],
);

const transactions = table<TransactionRow>()(
  'transactions',
  {
    stage: ({ stage }) => stage,
    walletId: ({ walletId }) => walletId,
    txHash: ({ txHash }) => txHash,
    destinationAddress: ({ destinationAddress }) => destinationAddress?.toLowerCase(),
    /** Empty where it is of none. */
    tokenId: ({ tokenId = '' }) => tokenId,
    /** One of six kinds: OUTBOUND or INBOUND, and its operation. */
    kind: ({ transactionType = 'OUTBOUND', operation }) => `${transactionType} ${operation}`,
    /** As the clock said, which may have been set back since. The order of lists never falls. */
    acceptedAtMs: ({ createdAtMs }) => createdAtMs,
  },
  [
    ['txHash'],
    ['walletId', 'destinationAddress'],
    ['walletId', 'stage', 'kind'],
    ['walletId', 'stage'],
    ['walletId', 'kind'],
    ['walletId'],
    ['destinationAddress', 'stage', 'kind'],
    ['destinationAddress', 'kind'],
    ['destinationAddress'],
    ['stage', 'kind'],
    ['stage', 'acceptedAtMs'],
    ['stage', 'walletId'],
    ['kind'],
    ['stage'],
  ],
);

const contracts = table<ContractRow>()(
  'contracts',
  {
    contractAddress: ({ contractAddress }) => contractAddress,
    status: ({ status }) => status,
    name: ({ name }) => name,
    deployerAddress: ({ deployerAddress }) => deployerAddress,
    inputType: ({ inputType }) => inputType,
    archived: ({ archived }) => String(archived),
  },
  [
    ['contractAddress'],
    ['name'],
    ['deployerAddress', 'status'],
    ['deployerAddress'],
    ['inputType'],
    ['status'],
    ['archived'],
  ],
);

const monitors = table<MonitorRow>()(
  'monitors',
  {
    contractAddress: ({ contractAddress }) => contractAddress,
    eventSignature: ({ eventSignature }) => eventSignature,
    state: ({ state }) => state,
  },
  [['contractAddress'], ['eventSignature'], ['state']],
);

const eventLogs = table<EventLogRow>()(
  'eventLogs',
  { contractAddress: ({ contractAddress }) => contractAddress },
  [['contractAddress']],
);

const broadcasts = table<BroadcastRow>()(
  'broadcasts',
  {
    sender: ({ sender }) => sender,
    status: ({ status }) => status,
    nonce: ({ nonce }) => nonce,
    transactionId: ({ transactionId }) => transactionId,
    txHash: ({ txHash }) => txHash,
    sentAtMs: ({ sentAtMs }) => sentAtMs,
  },
  [
    ['sender', 'status', 'nonce'],
    ['transactionId'],
    ['txHash'],
    ['status', 'sentAtMs'],
    ['status'],
  ],
);

/** Tokens that the chain was asked about. The built-in tokens are known without. */
const tokens = table<SandboxToken>()('tokens', {}, []);

const subscriptions = table<SubscriptionRow>()(
  'subscriptions',
  { deleted: ({ deleted }) => (deleted ? 'yes' : 'no') },
  [['deleted']],
);

const notices = table<NoticeRow>()(
  'notices',
  {
    subscriptionId: ({ subscriptionId }) => subscriptionId,
    status: ({ status }) => status,
    dueAtMs: ({ dueAtMs }) => dueAtMs,
  },
  [
    ['subscriptionId', 'status', 'dueAtMs'],
    ['status', 'dueAtMs'],
  ],
);

/** The tokens that were chosen to be monitored, by their own ids. */
const monitoredTokens = table<MonitoredTokenRow>()(
  'monitoredTokens',
  { symbol: ({ symbol }) => symbol, address: ({ address }) => address?.toLowerCase() },
  [],
);

export const tables = {
  walletSets,
  wallets,
  transactions,
  contracts,
  monitors,
  eventLogs,
  broadcasts,
  tokens,
  subscriptions,
  notices,
  monitoredTokens,
};

/** A table whose index lists begin with those that leave least to look at. */
function table<Row>() {
  return <Name extends string>(
    name: string,
    columns: Record<Name, Column<Row>>,
    indexes: Table<Row, NoInfer<Name>>['indexes'],
  ): Table<Row, Name> => ({ name, columns, indexes });
}

/** All that the store is made of, as statements that make it. */
export const schema: readonly string[] = [
  ...Object.values(tables).flatMap(toSql),
  'CREATE TABLE blocks (number INTEGER PRIMARY KEY, doc TEXT)',
  'CREATE TABLE keys (key TEXT PRIMARY KEY, doc TEXT)',
  'CREATE TABLE ciphertexts (hash TEXT PRIMARY KEY) WITHOUT ROWID',
  `CREATE TABLE receivedTokens (seq INTEGER PRIMARY KEY, walletId TEXT, tokenId TEXT, itemId TEXT,
   UNIQUE (walletId, tokenId, itemId))`,
  'CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID',
];

/** Changes with the schema, so that nobody can forget to raise it. */
export const schemaVersion = createHash('sha256').update(schema.join(';')).digest().readInt32BE();

function toSql({
  name,
  columns,
  indexes,
}: Pick<Table<never, string>, 'name' | 'indexes'> & { columns: object }): string[] {
  const all = [
    'seq INTEGER PRIMARY KEY',
    'id TEXT UNIQUE',
    ...Object.keys(columns),
    'createdAtMs INTEGER',
    'doc TEXT',
  ];
  return [
    `CREATE TABLE ${name} (${all.join(', ')})`,
    `CREATE INDEX ${indexName(name, ['createdAtMs'])} ON ${name} (createdAtMs)`,
    ...indexes.map((one) => `CREATE INDEX ${indexName(name, one)} ON ${name} (${one.join(', ')})`),
  ];
}
