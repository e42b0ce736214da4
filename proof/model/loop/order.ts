/** The write of the order, and its workflow. */
export const path = 'transfer/1';
export const workflowId = 'transfer-model';
export const blockchain = 'ARC-TESTNET';
export const wallet = { walletId: 'wallet', address: `0x${'11'.repeat(20)}`, accountType: 'EOA' };
export const to = `0x${'22'.repeat(20)}`;
export const token = { name: 'USDC', address: `0x${'36'.repeat(20)}`, decimals: 6, ids: [] };

/** The fields of a record of this write, besides its end. */
export function recordFields(amount: string) {
  const { walletId, address: sourceAddress } = wallet;
  return { blockchain, walletId, sourceAddress, destinationAddress: to, amounts: [amount] };
}

/** The order as somebody starts it, with a generation. */
export function orderOf(generation: number): { generations: Record<string, number> } {
  return { generations: generation === 0 ? {} : { [path]: generation } };
}
