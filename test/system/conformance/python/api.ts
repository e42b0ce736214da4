import { endpointPath } from '../../../../sandbox/http/server';
import {
  type CustodyApi,
  type Endpoint,
  type EndpointName,
  endpoints,
} from '../../../../src/custody/endpoints';
import { nothing } from '../../../../src/custody/endpoints/endpoint';
import type { MethodCall } from '../description/describeMethods';
import type { Bridge, Came } from './bridge';

/** An endpoint without a method in the Python SDKs. They have a function that needs no client. */
export const lackedByPython = [
  'registerEntitySecret',
  'screenAddress',
] as const satisfies readonly EndpointName[];

type Reached = Exclude<EndpointName, (typeof lackedByPython)[number]>;

/** The method of the Python SDKs for each endpoint. */
const pythonMethods: Readonly<Record<Reached, string>> = {
  ping: 'HealthApi.ping',
  getPublicKey: 'DeveloperAccountApi.get_public_key',
  createWalletSet: 'WalletSetsApi.create_wallet_set',
  getWalletSet: 'WalletSetsApi.get_wallet_set',
  listWalletSets: 'WalletSetsApi.get_wallet_sets',
  createWallets: 'WalletsApi.create_wallet',
  getWallet: 'WalletsApi.get_wallet',
  listWallets: 'WalletsApi.get_wallets',
  updateWallet: 'WalletsApi.update_wallet',
  listBalances: 'WalletsApi.list_wallet_balance',
  getToken: 'TokenLookupApi.get_token_id',
  requestDrip: 'FaucetApi.request_testnet_tokens',
  createTransfer: 'TransactionsApi.create_developer_transaction_transfer',
  executeContract: 'TransactionsApi.create_developer_transaction_contract_execution',
  cancelTransaction: 'TransactionsApi.create_developer_transaction_cancel',
  accelerateTransaction: 'TransactionsApi.create_developer_transaction_accelerate',
  estimateTransfer: 'TransactionsApi.create_transfer_estimate_fee',
  estimateExecution: 'TransactionsApi.create_transaction_estimate_fee',
  getTransaction: 'TransactionsApi.get_transaction',
  listTransactions: 'TransactionsApi.list_transactions',
  validateAddress: 'TransactionsApi.create_validate_address',
  deployTemplate: 'TemplatesApi.deploy_contract_template',
  estimateDeployment: 'TemplatesApi.estimate_contract_template_deploy',
  getContract: 'ViewUpdateApi.get_contract',
  listContracts: 'ViewUpdateApi.list_contracts',
  queryContract: 'InteractApi.query_contract',
  deployContract: 'DeployImportApi.deploy_contract',
  estimateContractDeployment: 'DeployImportApi.estimate_contract_deploy',
  importContract: 'DeployImportApi.import_contract',
  updateContract: 'ViewUpdateApi.update_contract',
  createEventMonitor: 'EventMonitorsApi.create_event_monitor',
  listEventMonitors: 'EventMonitorsApi.get_event_monitors',
  updateEventMonitor: 'EventMonitorsApi.update_event_monitor',
  deleteEventMonitor: 'EventMonitorsApi.delete_event_monitor',
  listEventLogs: 'EventMonitorsApi.list_event_logs',
  getEntityConfig: 'DeveloperAccountApi.get_entity_config',
  signMessage: 'SigningApi.sign_message',
  signTypedData: 'SigningApi.sign_typed_data',
  signTransaction: 'SigningApi.sign_transaction',
  signDelegateAction: 'SigningApi.sign_delegate_action',
  upgradeWallet: 'TransactionsApi.create_developer_transaction_wallet_upgrade',
  createMonitoredTokens: 'MonitorTokensApi.create_monitored_tokens',
  updateMonitoredTokens: 'MonitorTokensApi.update_monitored_tokens',
  listMonitoredTokens: 'MonitorTokensApi.list_monitored_tokens',
  deleteMonitoredTokens: 'MonitorTokensApi.delete_monitored_tokens',
  updateMonitoredTokensScope: 'MonitorTokensApi.update_monitored_tokens_scope',
  updateWalletSet: 'WalletSetsApi.update_wallet_set',
  deriveWallet: 'WalletsApi.derive_wallet',
  deriveWalletByAddress: 'WalletsApi.derive_wallet_by_address',
  listWalletsWithBalances: 'WalletsApi.get_wallets_with_balances',
  listNfts: 'WalletsApi.list_wallet_nfts',
  getFeeParameters: 'TransactionsApi.get_fee_parameters',
  getLowestNonceTransaction: 'TransactionsApi.get_lowest_nonce_transaction',
  createSubscription: 'WebhookSubscriptionsApi.create_subscription',
  listSubscriptions: 'WebhookSubscriptionsApi.get_subscriptions',
  getSubscription: 'WebhookSubscriptionsApi.get_subscription',
  updateSubscription: 'WebhookSubscriptionsApi.update_subscription',
  deleteSubscription: 'WebhookSubscriptionsApi.delete_subscription',
  getNotificationSignature: 'WebhookSubscriptionsApi.get_notification_signature',
};

/** The vendor's Python SDKs as a CustodyApi: each call is one of their methods. */
export function createPythonApi(bridge: Bridge, note: (call: MethodCall) => void): CustodyApi {
  const methods = Object.entries(pythonMethods).map(([key, method]) => {
    const name = key as EndpointName;
    const call = callOf(name);
    return [
      name,
      async (input: object) => {
        const came = await bridge.call(method, input);
        if ('status' in came) note({ method, call, status: came.status });
        return read(name, came);
      },
    ];
  });
  const lacked = lackedByPython.map((name) => [
    name,
    () => Promise.reject(new Error(`The Python SDKs have no method for ${name}.`)),
  ]);
  return Object.fromEntries([...methods, ...lacked]) as CustodyApi;
}

function callOf(name: EndpointName): { method: string; path: string } {
  const endpoint: Endpoint = endpoints[name];
  return { method: endpoint.method, path: endpointPath(endpoint) };
}

/** Parses the answer by our table. Throws a refusal with its status and code. */
function read(name: EndpointName, came: Came): unknown {
  if ('fault' in came) throw new Error(came.fault);
  const { output }: Endpoint = endpoints[name];
  if (came.text === '') return output === nothing ? {} : undefined;
  const body = JSON.parse(came.text);
  if (came.status > 299) throw Object.assign(new Error(body.message), { ...body, ...came });
  return output.parse(body.data ?? body);
}
