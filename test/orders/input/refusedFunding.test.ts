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
  "wallets: is missing. It must be a list.",
  "wallets: null must be a list.",
  "wallets: "0c3f3d3e-1111-4222-8333-4444aaaa6666" must be a list.",
  "wallets: {} must be a list.",
  "wallets: [] must have at least 1 entry.",
  "wallets.1: "0c3f3d3e-1111-4222-8333-4444aaaa6666" is in the list twice.",
  "wallets: ["0c3f3d3e-1111-4222-8333-4444aaaa6666","0c3f3d3e-1111-4222-8333-4444aaaa6666","… must have at most 50 entries.",
  "wallets.0: 5 must be text, in quotes.",
  "wallets.0: null must be text, in quotes.",
  "wallets.0: "" must be a UUID such as "1f0c2a9e-7b1d-4c8e-9a54-0d6f3b2e8c17".",
  "wallets.0: "till" must be a UUID such as "1f0c2a9e-7b1d-4c8e-9a54-0d6f3b2e8c17".",
  "wallets.0: "0x89B50855Aa3bE2F677cD6303Cec089B5F319D72a" must be a UUID such as "1f0c2a9e-7b1d-4c8e-9a54-0d6f3b2e8c17".",
  "into: wallet",
  "into.walletId: walletId",
  "into: {} must be {"walletId": "<uuid>"} or {"walletAddress": "0x…"}.",
  "into.walletAddress: address",
  "into: {} must be {"walletId": "<uuid>"} or {"walletAddress": "0x…"}.",
  "token: token",
  "keep: null must be text, in quotes.",
  "keep: 0.5 must be text, in quotes.",
  "keep: "" is not an amount: give plain digits such as "12.50", no sign and no exponent.",
  "keep: "-1" is not an amount: give plain digits such as "12.50", no sign and no exponent.",
  "keep: "1e3" is not an amount: give plain digits such as "12.50", no sign and no exponent.",
  "keep: "1.1111111111111111111111111111111111111" has 37 decimals, but no token has more than 36.",
  "keep: "9999999999999999999999999999999999999999999999999999999999999999999999999999999… is longer than any amount of a token.",
]
`);
  });
});
