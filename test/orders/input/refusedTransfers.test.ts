import { refusalsByShape } from './refusals';
import { tables } from './tables';

describe('transfers are refused, field by field', () => {
  it('transferStablecoin', () => {
    expect(refusalsByShape('transferStablecoin', tables.transferStablecoin)).toMatchInlineSnapshot(`
[
  "from: wallet",
  "from.walletId: walletId",
  "from: {} must be {"walletId": "<uuid>"} or {"walletAddress": "0x…"}.",
  "from.walletAddress: address",
  "from: {} must be {"walletId": "<uuid>"} or {"walletAddress": "0x…"}.",
  "to: recipient",
  "amount: amount",
  "amount: "1.1234567" has 7 decimals, but USDC has 6.",
  "amount: "9999999999999999999999999999999999999999999999999999999999999999999999999999999… is more than any token can hold.",
  "token: token",
  "exchange: exchange",
  "exchange.amount: money",
  "exchange.currency: currency",
  "exchange.rate: rate",
  "exchange.day: day",
  "exchange.source: rateSource",
  "strict: flag",
]
`);
  });

  it('transferSequence', () => {
    expect(refusalsByShape('transferSequence', tables.transferSequence)).toMatchInlineSnapshot(`
[
  "name: name",
  "accountType: accountType",
  "amount: amount",
  "amount: "1.1234567" has 7 decimals, but USDC has 6.",
  "amount: "9999999999999999999999999999999999999999999999999999999999999999999999999999999… is more than any token can hold.",
  "token: token",
  "source: source",
  "source.walletId: walletId",
  "source: {} must be "faucet", "external" or the treasury wallet as {"walletId": "<uuid>"}.",
  "source.walletAddress: address",
  "source: {} must be "faucet", "external" or the treasury wallet as {"walletId": "<uuid>"}.",
  "from: {"walletId":"0c3f3d3e-1111-4222-8333-4444aaaa6666"} has no place in this order. Leave it out.",
  "to: "0x89B50855Aa3bE2F677cD6303Cec089B5F319D72a" has no place in this order. Leave it out.",
]
`);
  });
});
