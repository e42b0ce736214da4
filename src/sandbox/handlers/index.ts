import type { EndpointName } from '../../custody/endpoints';
import type { Handlers, Service } from '../service';
import { contractHandlers } from './contracts';
import { estimateHandlers } from './estimates';
import { faucetHandlers } from './faucet';
import { replacementHandlers } from './replacements';
import { signingHandlers } from './signing';
import { transactionHandlers } from './transactions';
import { transferHandlers } from './transfers';
import { upgradeHandlers } from './upgrades';
import { walletHandlers } from './wallets';

/** Every endpoint of the table, or it does not compile. */
export type SandboxApi = Handlers<EndpointName>;

/** The custody service itself: a CustodyApi over a chain. */
export function createHandlers(service: Service): SandboxApi {
  return {
    ping: async () => ({ message: 'pong' }),
    getPublicKey: async () => ({ publicKey: service.publicKey }),
    ...walletHandlers(service),
    ...transferHandlers(service),
    ...contractHandlers(service),
    ...estimateHandlers(service),
    ...transactionHandlers(service),
    ...replacementHandlers(service),
    ...faucetHandlers(service),
    ...signingHandlers(service),
    ...upgradeHandlers(service),
  };
}
