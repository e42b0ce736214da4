import { refusalsByShape } from './refusals';
import { tables } from './tables';

describe('wallets and their funds are refused, field by field', () => {
  it('provisionWallets', () => {
    expect(refusalsByShape('provisionWallets', tables.provisionWallets)).toMatchInlineSnapshot(`
[
  "name: name",
  "count: count",
  "accountType: accountType",
]
`);
  });

  it('fundWallet', () => {
    expect(refusalsByShape('fundWallet', tables.fundWallet)).toMatchInlineSnapshot(`
[
  "wallet: wallet",
  "wallet.walletId: walletId",
  "wallet: {} must be {"walletId": "<uuid>"} or {"walletAddress": "0x…"}.",
  "wallet.walletAddress: address",
  "wallet: {} must be {"walletId": "<uuid>"} or {"walletAddress": "0x…"}.",
  "amount: amount",
  "amount: "0.0000001" has 7 decimals, but USDC has 6.",
  "amount: "9999999999999999999999999999999999999999999999999999999999999999999999999999999… is more than any token can hold.",
  "token: token",
  "source: source",
  "source.walletId: walletId",
  "source: {} must be "faucet", "external" or the treasury wallet as {"walletId": "<uuid>"}.",
  "source.walletAddress: address",
  "source: {} must be "faucet", "external" or the treasury wallet as {"walletId": "<uuid>"}.",
]
`);
  });

  it('sweepWallets', () => {
    expect(refusalsByShape('sweepWallets', tables.sweepWallets)).toMatchInlineSnapshot(`
[
  "wallets: walletIds",
  "wallets: ["0c3f3d3e-1111-4222-8333-4444aaaa6666","0c3f3d3e-1111-4222-8333-4444aaaa6666","… must have at most 50 entries.",
  "wallets.0: listedWallet",
  "into: wallet",
  "into.walletId: walletId",
  "into: {} must be {"walletId": "<uuid>"} or {"walletAddress": "0x…"}.",
  "into.walletAddress: address",
  "into: {} must be {"walletId": "<uuid>"} or {"walletAddress": "0x…"}.",
  "token: token",
  "keep: reserve",
]
`);
  });
});
