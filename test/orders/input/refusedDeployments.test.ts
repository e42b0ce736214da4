import { refusalsByShape } from './refusals';
import { tables } from './tables';

describe('deployments are refused, field by field', () => {
  it('deployContract', () => {
    expect(refusalsByShape('deployContract', tables.deployContract)).toMatchInlineSnapshot(`
[
  "walletId: walletId",
  "template: null must be text, in quotes.",
  "template: 5 must be text, in quotes.",
  "template: ["a"] must be text, in quotes.",
  "template: "" is not a known template: give fungible, uniqueItem, multiToken, airdrop or the id of a template.",
  "template: "nft" is not a known template: give fungible, uniqueItem, multiToken, airdrop or the id of a template.",
  "template: "Fungible" is not a known template: give fungible, uniqueItem, multiToken, airdrop or the id of a template.",
  "template: "c3f3d3e-1111-4222-8333-4444aaaa6666" is not a known template: give fungible, uniqueItem, multiToken, airdrop or the id of a template.",
  "name: name",
  "parameters: is missing. It must be an object.",
  "parameters: null must be an object.",
  "parameters: 5 must be an object.",
  "parameters: "a" must be an object.",
  "parameters: [] must be an object.",
  "parameters: ["a"] must be an object.",
  "mint: object",
  "mint.amount: is missing. It is what a mint of this template needs.",
  "mint.memo: "a" has no place in this order. Leave it out.",
  "mint.amount: amount",
  "mint.amount: is missing. It is what a mint of this template needs.",
  "mint.amount: "1.1111111111111111111" has 19 decimals, but a token of this template has 18.",
  "mint.amount: "9999999999999999999999999999999999999999999999999999999999999999999999999999999… is more than any token can hold.",
  "mint.to: recipient",
  "mint.uri: null must be text, in quotes.",
  "mint.uri: 5 must be text, in quotes.",
  "mint.uri: ["a"] must be text, in quotes.",
  "mint.uri: "" must have at least 1 character.",
  "mint.uri: "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx… must have at most 2000 characters.",
]
`);
  });

  it('deploymentSequence', () => {
    expect(refusalsByShape('deploymentSequence', tables.deploymentSequence)).toMatchInlineSnapshot(`
[
  "walletId: "0c3f3d3e-1111-4222-8333-4444aaaa6666" has no place in this order. Leave it out.",
  "template: null must be text, in quotes.",
  "template: 5 must be text, in quotes.",
  "template: ["a"] must be text, in quotes.",
  "template: "" is not a known template: give fungible, uniqueItem, multiToken, airdrop or the id of a template.",
  "template: "nft" is not a known template: give fungible, uniqueItem, multiToken, airdrop or the id of a template.",
  "template: "Fungible" is not a known template: give fungible, uniqueItem, multiToken, airdrop or the id of a template.",
  "template: "c3f3d3e-1111-4222-8333-4444aaaa6666" is not a known template: give fungible, uniqueItem, multiToken, airdrop or the id of a template.",
  "name: name",
  "parameters: is missing. It must be an object.",
  "parameters: null must be an object.",
  "parameters: 5 must be an object.",
  "parameters: "a" must be an object.",
  "parameters: [] must be an object.",
  "parameters: ["a"] must be an object.",
  "mint: object",
  "mint.amount: is missing. It is what a mint of this template needs.",
  "mint.memo: "a" has no place in this order. Leave it out.",
  "mint.amount: amount",
  "mint.amount: is missing. It is what a mint of this template needs.",
  "mint.amount: "1.1111111111111111111" has 19 decimals, but a token of this template has 18.",
  "mint.amount: "9999999999999999999999999999999999999999999999999999999999999999999999999999999… is more than any token can hold.",
  "mint.to: recipient",
  "mint.uri: null must be text, in quotes.",
  "mint.uri: 5 must be text, in quotes.",
  "mint.uri: ["a"] must be text, in quotes.",
  "mint.uri: "" must have at least 1 character.",
  "mint.uri: "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx… must have at most 2000 characters.",
]
`);
  });
});
