import { type Endpoint, endpoints } from '../../src/custody/endpoints';

const rows: [name: string, endpoint: Endpoint][] = Object.entries(endpoints);
/** They show the secret and change nothing. */
const signatures = ['signMessage', 'signTypedData', 'signTransaction', 'signDelegateAction'];
const unsignedContractWrites = [
  'importContract',
  'updateContract',
  'createEventMonitor',
  'updateEventMonitor',
  'deleteEventMonitor',
];

describe('the table of endpoints', () => {
  it('has the methods and paths of the interface', () => {
    const table = rows.map(([name, { method, root, path }]) => {
      return `${name}: ${method} ${root === 'base' ? '{base_url}' : ''}${path}`;
    });
    expect(table).toMatchInlineSnapshot(`
[
  "ping: GET /ping",
  "getPublicKey: GET {base_url}/config/entity/publicKey",
  "getEntityConfig: GET {base_url}/config/entity",
  "registerEntitySecret: POST {base_url}/config/entity/entitySecret",
  "listMonitoredTokens: GET {base_url}/config/entity/monitoredTokens",
  "createMonitoredTokens: POST {base_url}/config/entity/monitoredTokens",
  "updateMonitoredTokens: PUT {base_url}/config/entity/monitoredTokens",
  "deleteMonitoredTokens: POST {base_url}/config/entity/monitoredTokens/delete",
  "updateMonitoredTokensScope: PUT {base_url}/config/entity/monitoredTokens/scope",
  "createWalletSet: POST {base_url}/developer/walletSets",
  "updateWalletSet: PUT {base_url}/developer/walletSets/:id",
  "getWalletSet: GET {base_url}/walletSets/:id",
  "listWalletSets: GET {base_url}/walletSets",
  "createWallets: POST {base_url}/developer/wallets",
  "getWallet: GET {base_url}/wallets/:id",
  "listWallets: GET {base_url}/wallets",
  "updateWallet: PUT {base_url}/wallets/:id",
  "deriveWallet: PUT {base_url}/developer/wallets/:id/blockchains/:blockchain",
  "deriveWalletByAddress: PUT {base_url}/developer/wallets/derive",
  "listBalances: GET {base_url}/wallets/:id/balances",
  "listNfts: GET {base_url}/wallets/:id/nfts",
  "listWalletsWithBalances: GET {base_url}/developer/wallets/balances",
  "getToken: GET {base_url}/tokens/:id",
  "requestDrip: POST /v1/faucet/drips",
  "screenAddress: POST {base_url}/compliance/screening/addresses",
  "signMessage: POST {base_url}/developer/sign/message",
  "signTypedData: POST {base_url}/developer/sign/typedData",
  "signTransaction: POST {base_url}/developer/sign/transaction",
  "signDelegateAction: POST {base_url}/developer/sign/delegateAction",
  "createTransfer: POST {base_url}/developer/transactions/transfer",
  "executeContract: POST {base_url}/developer/transactions/contractExecution",
  "cancelTransaction: POST {base_url}/developer/transactions/:id/cancel",
  "accelerateTransaction: POST {base_url}/developer/transactions/:id/accelerate",
  "estimateTransfer: POST {base_url}/transactions/transfer/estimateFee",
  "estimateExecution: POST {base_url}/transactions/contractExecution/estimateFee",
  "getTransaction: GET {base_url}/transactions/:id",
  "listTransactions: GET {base_url}/transactions",
  "validateAddress: POST {base_url}/transactions/validateAddress",
  "upgradeWallet: POST {base_url}/developer/transactions/walletUpgrade",
  "getFeeParameters: GET {base_url}/developer/transactions/feeParameters",
  "getLowestNonceTransaction: GET {base_url}/transactions/lowestNonceTransaction",
  "deployTemplate: POST {base_url}/templates/:id/deploy",
  "estimateDeployment: POST {base_url}/templates/:id/deploy/estimateFee",
  "deployContract: POST {base_url}/contracts/deploy",
  "estimateContractDeployment: POST {base_url}/contracts/deploy/estimateFee",
  "importContract: POST {base_url}/contracts/import",
  "updateContract: PATCH {base_url}/contracts/:id",
  "getContract: GET {base_url}/contracts/:id",
  "listContracts: GET {base_url}/contracts",
  "queryContract: POST {base_url}/contracts/query",
  "createEventMonitor: POST {base_url}/contracts/monitors",
  "listEventMonitors: GET {base_url}/contracts/monitors",
  "updateEventMonitor: PUT {base_url}/contracts/monitors/:id",
  "deleteEventMonitor: DELETE {base_url}/contracts/monitors/:id",
  "listEventLogs: GET {base_url}/contracts/events",
  "createSubscription: POST /v2/notifications/subscriptions",
  "listSubscriptions: GET /v2/notifications/subscriptions",
  "getSubscription: GET /v2/notifications/subscriptions/:id",
  "updateSubscription: PATCH /v2/notifications/subscriptions/:id",
  "deleteSubscription: DELETE /v2/notifications/subscriptions/:id",
  "getNotificationSignature: GET /v2/notifications/publicKey/:id",
]
`);
  });

  it('has no two rows with the same method and path', () => {
    const places = rows.map(([, { method, path }]) => `${method} ${path.replace(/:\w+/g, ':')}`);
    expect(new Set(places).size).toBe(rows.length);
  });

  it('takes from the input every parameter that a path has', () => {
    const missing = rows.flatMap(([name, { path, input }]) =>
      [...path.matchAll(/:(\w+)/g)]
        .filter(([, parameter = '']) => !(parameter in input.shape))
        .map(([parameter]) => `${name} ${parameter}`),
    );
    expect(missing).toEqual([]);
  });

  it('signs every write but those that have a reason not to, and no read but signatures', () => {
    const unlike = rows.filter(([, { signed, write }]) => signed !== write).map(([name]) => name);
    expect(unlike).toEqual([
      'registerEntitySecret',
      'createMonitoredTokens',
      'updateMonitoredTokens',
      'deleteMonitoredTokens',
      'updateMonitoredTokensScope',
      'updateWalletSet',
      'updateWallet',
      'deriveWallet',
      'deriveWalletByAddress',
      'requestDrip',
      'screenAddress',
      ...signatures,
      ...unsignedContractWrites,
      'createSubscription',
      'updateSubscription',
      'deleteSubscription',
    ]);
  });

  it('wants an idempotency key for signed writes, and for records about contracts', () => {
    const unlike = rows
      .filter(([, { signed, input }]) => signed !== 'idempotencyKey' in input.shape)
      .map(([name]) => name);
    expect(unlike).toEqual([
      'screenAddress',
      ...signatures,
      'importContract',
      'createEventMonitor',
    ]);
  });

  it('sends every write as a POST, but for what changes a record that is there', () => {
    const unlike = rows.filter(([, { write, method }]) => write && method !== 'POST');
    expect(unlike.map(([name]) => name)).toEqual([
      'updateMonitoredTokens',
      'updateMonitoredTokensScope',
      'updateWalletSet',
      'updateWallet',
      'deriveWallet',
      'deriveWalletByAddress',
      'updateContract',
      'updateEventMonitor',
      'deleteEventMonitor',
      'updateSubscription',
      'deleteSubscription',
    ]);
  });

  it('refuses an input field that it does not name, so that a typing error is not lost', () => {
    const loose = rows
      .filter(([, { input }]) => {
        const { issues } = input.safeParse({ notAField: 1 }).error ?? { issues: [] };
        return !issues.some(({ code }) => code === 'unrecognized_keys');
      })
      .map(([name]) => name);
    expect(loose).toEqual([]);
  });
});
