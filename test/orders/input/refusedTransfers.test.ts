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
  "exchange: null must be an object.",
  "exchange: 5 must be an object.",
  "exchange: "a" must be an object.",
  "exchange: [] must be an object.",
  "exchange.amount: is missing. It must be text, in quotes. exchange.currency: is missing. It must be text, in quotes. exchange.rate: is missing. It must be text, in quotes. exchange.day: is missing. It must be a day such as "2026-01-31".",
  "exchange: {"amount":"2","currency":"EUR","rate":"1","day":"2026-01-30"} gives 2 USDC, and not the amount of 1.",
  "exchange.token: "USDC" has no place in this order. Leave it out.",
  "exchange.amount: is missing. It must be text, in quotes.",
  "exchange.amount: null must be text, in quotes.",
  "exchange.amount: 5 must be text, in quotes.",
  "exchange.amount: "" is not an amount: give plain digits such as "12.50", no sign and no exponent.",
  "exchange.amount: "1e3" is not an amount: give plain digits such as "12.50", no sign and no exponent.",
  "exchange.amount: "0" must be more than zero.",
  "exchange.currency: is missing. It must be text, in quotes.",
  "exchange.currency: null must be text, in quotes.",
  "exchange.currency: 5 must be text, in quotes.",
  "exchange.currency: "" is no currency of ISO 4217: give three capitals such as "EUR".",
  "exchange.currency: "eur" is no currency of ISO 4217: give three capitals such as "EUR".",
  "exchange.currency: "EURC" is no currency of ISO 4217: give three capitals such as "EUR".",
  "exchange.currency: "XXX" is no currency of ISO 4217: give three capitals such as "EUR".",
  "exchange.currency: "AAA" is no currency of ISO 4217: give three capitals such as "EUR".",
  "exchange.rate: is missing. It must be text, in quotes.",
  "exchange.rate: null must be text, in quotes.",
  "exchange.rate: 1 must be text, in quotes.",
  "exchange.rate: "" is no rate. Give plain digits above zero such as "1.0812", with at most 12 digits before the point and 18 behind it.",
  "exchange.rate: "0" is no rate. Give plain digits above zero such as "1.0812", with at most 12 digits before the point and 18 behind it.",
  "exchange.rate: "-1" is no rate. Give plain digits above zero such as "1.0812", with at most 12 digits before the point and 18 behind it.",
  "exchange.rate: "1e3" is no rate. Give plain digits above zero such as "1.0812", with at most 12 digits before the point and 18 behind it.",
  "exchange.rate: "1,1" is no rate. Give plain digits above zero such as "1.0812", with at most 12 digits before the point and 18 behind it.",
  "exchange.rate: "1.1111111111111111111" is no rate. Give plain digits above zero such as "1.0812", with at most 12 digits before the point and 18 behind it.",
  "exchange.day: is missing. It must be a day such as "2026-01-31".",
  "exchange.day: null must be a day such as "2026-01-31".",
  "exchange.day: 5 must be a day such as "2026-01-31".",
  "exchange.day: "" must be a day such as "2026-01-31".",
  "exchange.day: "30.01.2026" must be a day such as "2026-01-31".",
  "exchange.day: "2026-02-30" must be a day such as "2026-01-31".",
  "exchange.source: null must be text, in quotes.",
  "exchange.source: 5 must be text, in quotes.",
  "exchange.source: "" is empty, or has a control character.",
  "exchange.source: "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx" must have at most 60 characters.",
  "exchange.source: "a\\nb" is empty, or has a control character.",
  "strict: null must be true or false.",
  "strict: "true" must be true or false.",
  "strict: 1 must be true or false.",
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
