import { deployCommand } from '../../src/cli/commands/deploy';
import { mergeFields } from '../../src/cli/order/takeOrder';

const flags = { template: 'airdrop', name: 'Drop', contractUri: 'https://drop.example' };

it('spells the metadata of an airdrop as its template does', () => {
  expect(mergeFields(deployCommand, flags)).toMatchObject({
    parameters: { contractURI: 'https://drop.example' },
  });
  expect(mergeFields(deployCommand, { ...flags, template: 'fungible' })).toMatchObject({
    parameters: { contractUri: 'https://drop.example' },
  });
});

it('needs no parameters where the template needs none', () => {
  const order = mergeFields(deployCommand, { template: 'airdrop', name: 'Drop' });
  expect(order).toMatchObject({ name: 'Drop', parameters: {} });
});

it("takes the contract's name for the token's, unless that is given", () => {
  const order = mergeFields(deployCommand, { name: 'Acme', symbol: 'ACME' });
  expect(order).toMatchObject({ parameters: { name: 'Acme', symbol: 'ACME' } });
});
