import type { EndpointName } from '../../custody/endpoints';
import type { Handlers, Service } from '../service';
import { configurationHandlers } from './configuration';
import { contractHandlers } from './contracts';
import { deploymentHandlers } from './deployments';
import { deriveHandlers } from './derive';
import { estimateHandlers } from './estimates';
import { faucetHandlers } from './faucet';
import { holdingHandlers } from './holdings';
import { importHandlers } from './imports';
import { monitoredTokenHandlers } from './monitoredTokens';
import { monitorHandlers } from './monitors';
import { pendingHandlers } from './pending';
import { replacementHandlers } from './replacements';
import { signingHandlers } from './signing';
import { subscriptionHandlers } from './subscriptions';
import { transactionHandlers } from './transactions';
import { transferHandlers } from './transfers';
import { upgradeHandlers } from './upgrades';
import { walletHandlers } from './wallets';

/** Every endpoint of the table, or it does not compile. */
export type SandboxApi = Handlers<EndpointName>;

/** The custody service itself: a CustodyApi over a chain. */
export function createHandlers(service: Service): SandboxApi {
  return {
    ...configurationHandlers(service),
    ...monitoredTokenHandlers(service),
    ...walletHandlers(service),
    ...deriveHandlers(service),
    ...holdingHandlers(service),
    ...transferHandlers(service),
    ...contractHandlers(service),
    ...deploymentHandlers(service),
    ...importHandlers(service),
    ...monitorHandlers(service),
    ...estimateHandlers(service),
    ...transactionHandlers(service),
    ...pendingHandlers(service),
    ...replacementHandlers(service),
    ...faucetHandlers(service),
    ...subscriptionHandlers(service),
    ...signingHandlers(service),
    ...upgradeHandlers(service),
  };
}
