export const walletId = '0c3f3d3e-1111-4222-8333-4444aaaa6666';
/** EURC on Arc, with its checksum. */
export const address = '0x89B50855Aa3bE2F677cD6303Cec089B5F319D72a';

export const transfer = { from: { walletId }, to: address, amount: '12.50', token: 'USDC' };
export const fund = { wallet: { walletId }, amount: '1', token: 'USDC' };
export const deploy = { walletId, name: 'Our token', parameters: { name: 'Token' } };
