import { refusalsByShape } from './refusals';
import { tables } from './tables';

describe('deployments are refused, field by field', () => {
  it('deployContract', () => {
    expect(refusalsByShape('deployContract', tables.deployContract)).toMatchInlineSnapshot(`
[
  "walletId: walletId",
  "template: template",
  "name: name",
  "parameters: parameters",
  "mint: object",
  "mint.amount: is missing. It is what a mint of this template needs.",
  "mint.memo: "a" has no place in this order. Leave it out.",
  "mint.amount: amount",
  "mint.amount: is missing. It is what a mint of this template needs.",
  "mint.amount: "1.1111111111111111111" has 19 decimals, but a token of this template has 18.",
  "mint.amount: "9999999999999999999999999999999999999999999999999999999999999999999999999999999… is more than any token can hold.",
  "mint.to: recipient",
  "mint.uri: uri",
]
`);
  });

  it('deploymentSequence', () => {
    expect(refusalsByShape('deploymentSequence', tables.deploymentSequence)).toMatchInlineSnapshot(`
[
  "walletId: "0c3f3d3e-1111-4222-8333-4444aaaa6666" has no place in this order. Leave it out.",
  "template: template",
  "name: name",
  "parameters: parameters",
  "mint: object",
  "mint.amount: is missing. It is what a mint of this template needs.",
  "mint.memo: "a" has no place in this order. Leave it out.",
  "mint.amount: amount",
  "mint.amount: is missing. It is what a mint of this template needs.",
  "mint.amount: "1.1111111111111111111" has 19 decimals, but a token of this template has 18.",
  "mint.amount: "9999999999999999999999999999999999999999999999999999999999999999999999999999999… is more than any token can hold.",
  "mint.to: recipient",
  "mint.uri: uri",
]
`);
  });
});
