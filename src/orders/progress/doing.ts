/**
 * Words for counts and for writes: plans, progress and activity summaries use the same ones.
 * Imports nothing, so that workflows may use it.
 */

/** A count in words: "1 line", "2 lines". */
export function counted(count: number, one: string): string {
  return `${count} ${one}${count === 1 ? '' : 's'}`;
}

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

export function callInWords(signature: string, contractAddress: string): string {
  return `call of ${signature} at ${contractAddress}`;
}

export function transferOf(amount: string, tokenName: string, to: string): string {
  return `transfer of ${amount} ${tokenName} to ${to}`;
}

export function collectionOf(tokenName: string, from: string): string {
  return `collection of ${tokenName} from ${from}`;
}
