import { z } from 'zod';
import { templateIds } from '../../../src/custody/objects/template';
import { templateParameters } from '../../../src/orders/input/templates';
import { address, deploy } from '../samples';
import { type Schema, untried } from './demands';
import { refusals, refusalsByShape } from './refusals';
import { optional, wrong } from './shapes';
import type { Table } from './tables';

const admin = { 'parameters.defaultAdmin': optional(wrong.address) };
const token = {
  'parameters.name': wrong.name,
  'parameters.symbol': [...wrong.text, '', 'S'.repeat(21)],
  ...admin,
  'parameters.primarySaleRecipient': wrong.payee,
  'parameters.platformFeeRecipient': wrong.payee,
  'parameters.platformFeePercent': [...wrong.fraction, 0.1],
  'parameters.contractUri': wrong.url,
  'parameters.trustedForwarders': [
    null,
    address,
    {},
    [5],
    [address, '0x12'],
    Array(21).fill(address),
  ],
  'parameters.trustedForwarders.0': [null, 5, '0x12'],
  'parameters.decimals': [6],
};
const item = {
  'parameters.royaltyRecipient': wrong.payee,
  'parameters.royaltyPercent': wrong.fraction,
};
const of = (template: keyof typeof templateIds, fields: Table['fields']): Table => {
  const name = template === 'airdrop' ? {} : { name: 'Ours', trustedForwarders: [address] };
  return { order: { ...deploy, template, parameters: name }, fields };
};
const mint = (...values: object[]) => ({ mint: values });

const families = {
  fungible: of('fungible', {
    ...token,
    'parameters.royaltyPercent': [0.1],
    ...mint({}, { amount: '1', uri: 'a' }, { amount: '1', tokenId: '0' }),
  }),
  uniqueItem: of('uniqueItem', { ...item, ...mint({}, { uri: 'a', amount: '1', tokenId: '1' }) }),
  multiToken: of('multiToken', {
    ...item,
    ...mint({}, { uri: 'a' }, { amount: '1' }, { uri: 'a', amount: '1.5' }),
  }),
  airdrop: of('airdrop', {
    ...admin,
    'parameters.contractURI': wrong.url,
    'parameters.name': ['Drop'],
    ...mint({}, { amount: '1' }),
  }),
};

describe('the parameters of a template are refused, field by field:', () => {
  it('fungible', () => {
    expect(refusalsByShape('deployContract', families.fungible)).toMatchInlineSnapshot(`
[
  "parameters.name: name",
  "parameters.symbol: null must be text, in quotes.",
  "parameters.symbol: 5 must be text, in quotes.",
  "parameters.symbol: ["a"] must be text, in quotes.",
  "parameters.symbol: "" must have at least 1 character.",
  "parameters.symbol: "SSSSSSSSSSSSSSSSSSSSS" must have at most 20 characters.",
  "parameters.defaultAdmin: address",
  "parameters.primarySaleRecipient: payee",
  "parameters.platformFeeRecipient: payee",
  "parameters.platformFeePercent: fraction",
  "parameters.platformFeePercent: 0.1 needs platformFeeRecipient (--fee-recipient), the address that receives the fee.",
  "parameters.contractUri: url",
  "parameters.trustedForwarders: null must be a list.",
  "parameters.trustedForwarders: "0x89B50855Aa3bE2F677cD6303Cec089B5F319D72a" must be a list.",
  "parameters.trustedForwarders: {} must be a list.",
  "parameters.trustedForwarders.0: 5 must be text, in quotes.",
  "parameters.trustedForwarders.1: "0x12" is not an address: give 0x and 40 hexadecimal digits.",
  "parameters.trustedForwarders: ["0x89B50855Aa3bE2F677cD6303Cec089B5F319D72a","0x89B50855Aa3bE2F677cD6303Cec089B… must have at most 20 entries.",
  "parameters.trustedForwarders.0: null must be text, in quotes.",
  "parameters.trustedForwarders.0: 5 must be text, in quotes.",
  "parameters.trustedForwarders.0: "0x12" is not an address: give 0x and 40 hexadecimal digits.",
  "parameters.decimals: 6 has no place in this order. Leave it out.",
  "parameters.royaltyPercent: 0.1 has no place in this order. Leave it out.",
  "mint.amount: is missing. It is what a mint of this template needs.",
  "mint.uri: "a" has no place in a mint of this template.",
  "mint.tokenId: "0" has no place in this order. Leave it out.",
]
`);
  });

  it('uniqueItem, in what no fungible token has', () => {
    expect(refusalsByShape('deployContract', families.uniqueItem)).toMatchInlineSnapshot(`
[
  "parameters.royaltyRecipient: payee",
  "parameters.royaltyPercent: fraction",
  "mint.uri: is missing. It is what a mint of this template needs.",
  "mint.tokenId: "1" has no place in this order. Leave it out. mint.amount: "1" has no place in a mint of this template.",
]
`);
  });

  it('multiToken, in what no fungible token has', () => {
    expect(refusalsByShape('deployContract', families.multiToken)).toMatchInlineSnapshot(`
[
  "parameters.royaltyRecipient: payee",
  "parameters.royaltyPercent: fraction",
  "mint.amount: is missing. It is what a mint of this template needs. mint.uri: is missing. It is what a mint of this template needs.",
  "mint.amount: is missing. It is what a mint of this template needs.",
  "mint.uri: is missing. It is what a mint of this template needs.",
  "mint.amount: "1.5" has 1 decimal, but a token of this template has none.",
]
`);
  });

  it('airdrop', () => {
    expect(refusalsByShape('deployContract', families.airdrop)).toMatchInlineSnapshot(`
[
  "parameters.defaultAdmin: address",
  "parameters.contractURI: url",
  "parameters.name: "Drop" has no place in this order. Leave it out.",
  "mint: {} has no use: this template mints nothing.",
  "mint: {"amount":"1"} has no use: this template mints nothing.",
]
`);
  });

  it.each(Object.entries(families))('%s, with every field tried', (family, table) => {
    const parameters = templateParameters[templateIds[family as keyof typeof templateIds]];
    const fields = family === 'airdrop' ? table.fields : { ...token, ...table.fields };
    const schema = z.toJSONSchema(parameters ?? z.never(), { io: 'input' });
    expect(untried(schema as Schema, fields, 'parameters.')).toEqual([]);
  });

  it('a token of any family alike', () => {
    const ofFungible = refusals('deployContract', of('fungible', token));
    expect(refusals('deployContract', of('uniqueItem', token))).toEqual(ofFungible);
    expect(refusals('deployContract', of('multiToken', token))).toEqual(ofFungible);
  });
});
