import { configurationHandlers } from './configuration';
import { contractHandlers } from './contracts/contracts';
import { deploymentHandlers } from './contracts/deployments';
import { importHandlers } from './contracts/imports';
import { monitorHandlers } from './contracts/monitors';
import { faucetHandlers } from './faucet';
import { screeningHandlers } from './screening';
import type { SandboxApi, Service } from './service';
import { signingHandlers } from './signing/signing';
import { subscriptionHandlers } from './subscriptions';
import { estimateHandlers } from './transactions/estimates';
import { pendingHandlers } from './transactions/pending';
import { replacementHandlers } from './transactions/replacements';
import { transactionHandlers } from './transactions/transactions';
import { transferHandlers } from './transactions/transfers';
import { balanceHandlers } from './wallets/balances';
import { deriveHandlers } from './wallets/derive';
import { monitoredTokenHandlers } from './wallets/monitoredTokens';
import { nftHandlers } from './wallets/nfts';
import { upgradeHandlers } from './wallets/upgrades';
import { walletHandlers } from './wallets/wallets';
import { walletBalanceHandlers } from './wallets/walletsWithBalances';

/** The custody service itself: every endpoint of the table, or it does not compile. */
export function createHandlers(service: Service): SandboxApi {
  return {
    ...configurationHandlers(service),
    ...monitoredTokenHandlers(service),
    ...walletHandlers(service),
    ...deriveHandlers(service),
    ...balanceHandlers(service),
    ...nftHandlers(service),
    ...walletBalanceHandlers(service),
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
    ...screeningHandlers(),
    ...signingHandlers(service),
    ...upgradeHandlers(service),
  };
}
