/** Tokens that the test network's faucet gives, by the names of an order. */
export const faucetTokens: readonly string[] = ['USDC', 'EURC', 'native'];
