import { readOrder } from '../../../src/orders/input/read';
import { kinds } from '../../../src/orders/kinds';
import { address, deploy } from '../samples';

const items = { parameters: { name: 'Item', royaltyRecipient: address, royaltyPercent: 0.05 } };

function refusal(order: object): string {
  try {
    readOrder(kinds.deployContract.order, { ...deploy, ...order });
    return 'taken';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

describe('a deployment from a template', () => {
  it.each<[what: string, order: object]>([
    ['a fungible token and a supply', { mint: { amount: '5' } }],
    ['unique items and the first one', { template: 'uniqueItem', ...items, mint: { uri: 'a' } }],
    [
      'a multi-token contract and some of its first',
      { template: 'multiToken', ...items, mint: { uri: 'a', amount: '5' } },
    ],
    [
      'an airdrop contract',
      { template: 'airdrop', parameters: { contractURI: 'https://a.example' } },
    ],
  ])('takes %s', (_, order) => {
    expect(refusal(order)).toBe('taken');
  });

  const needed = 'is missing. It is what a mint of this template needs.';
  const noPlace = 'has no place in a mint of this template.';

  it.each<[what: string, order: object, message: string]>([
    ['a supply of no amount', { mint: {} }, `mint.amount: ${needed}`],
    [
      'metadata for a fungible token',
      { mint: { amount: '5', uri: 'a' } },
      `mint.uri: "a" ${noPlace}`,
    ],
    [
      'an item without metadata',
      { template: 'uniqueItem', ...items, mint: {} },
      `mint.uri: ${needed}`,
    ],
    [
      'two of a unique item',
      { template: 'uniqueItem', ...items, mint: { uri: 'a', amount: '2' } },
      `mint.amount: "2" ${noPlace}`,
    ],
    [
      'a token whose number is none',
      { template: 'multiToken', ...items, mint: { uri: 'a', amount: '2', tokenId: 'x' } },
      'mint.tokenId: "x" has no place in this order. Leave it out.',
    ],
    [
      'a supply of an airdrop contract',
      { template: 'airdrop', parameters: {}, mint: {} },
      'mint: {} has no use: this template mints nothing.',
    ],
    [
      'a royalty of 200 percent',
      { template: 'uniqueItem', parameters: { name: 'Item', royaltyPercent: 2 } },
      'parameters.royaltyPercent: 2 is not a fraction from 0 to 1 in steps of 0.0001. ' +
        '0.1 means 10 percent.',
    ],
    [
      "a fungible token with an item's royalty",
      { parameters: { name: 'Token', royaltyPercent: 0.1 } },
      'parameters.royaltyPercent: 0.1 has no place in this order. Leave it out.',
    ],
    [
      'an airdrop contract with a name of its own',
      { template: 'airdrop', parameters: { name: 'Drop' } },
      'parameters.name: "Drop" has no place in this order. Leave it out.',
    ],
  ])('refuses %s', (_, order, message) => {
    expect(refusal(order)).toBe(message);
  });
});
