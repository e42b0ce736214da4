/**
 * Words for each write. A plan, an order's progress and the activity summaries use the same ones.
 * Imports nothing, so that workflows may use it.
 */

export function walletSetOf(name: string): string {
  return `wallet set "${name}"`;
}

export function walletsOf(count: number, accountType: string): string {
  return count === 1 ? `${accountType} wallet` : `${count} ${accountType} wallets`;
}

export function deploymentOf(name: string): string {
  return `deployment of "${name}"`;
}

export function mintOf(amount: string, to: string): string {
  return `mint of ${amount} to ${to}`;
}

/** Without an amount it is a unique item. */
export function itemMintOf(amount: string | undefined, to: string): string {
  return amount === undefined ? `mint of an item to ${to}` : `mint of ${amount} items to ${to}`;
}

export function callOf(signature: string, contractAddress: string): string {
  return `call of ${signature} at ${contractAddress}`;
}

export function transferOf(amount: string, tokenName: string, to: string): string {
  return `transfer of ${amount} ${tokenName} to ${to}`;
}

export function collectionOf(tokenName: string, from: string): string {
  return `collection of ${tokenName} from ${from}`;
}
