import type { EndpointName } from '../../custody/endpoints';
import type { Handlers, Service } from '../service';
import { configurationHandlers } from './configuration';
import { contractHandlers } from './contracts';
import { deriveHandlers } from './derive';
import { estimateHandlers } from './estimates';
import { faucetHandlers } from './faucet';
import { holdingHandlers } from './holdings';
import { monitoredTokenHandlers } from './monitoredTokens';
import { pendingHandlers } from './pending';
import { replacementHandlers } from './replacements';
import { transactionHandlers } from './transactions';
import { transferHandlers } from './transfers';
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
    ...estimateHandlers(service),
    ...transactionHandlers(service),
    ...pendingHandlers(service),
    ...replacementHandlers(service),
    ...faucetHandlers(service),
  };
}
