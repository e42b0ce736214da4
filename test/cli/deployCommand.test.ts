import { deploy } from '../../src/cli/commands/deploy';
import { mergeFields } from '../../src/cli/order/takeOrder';

const flags = { template: 'airdrop', name: 'Drop', contractUri: 'https://drop.example' };

it('spells the metadata of an airdrop as its template does', () => {
  expect(mergeFields(deploy, flags)).toMatchObject({
    parameters: { contractURI: 'https://drop.example' },
  });
  expect(mergeFields(deploy, { ...flags, template: 'fungible' })).toMatchObject({
    parameters: { contractUri: 'https://drop.example' },
  });
});

it('needs no parameters where the template needs none', () => {
  const order = mergeFields(deploy, { template: 'airdrop', name: 'Drop' });
  expect(order).toMatchObject({ name: 'Drop', parameters: {} });
});

it("takes the contract's name for the token's, unless that is given", () => {
  const order = mergeFields(deploy, { name: 'Acme', symbol: 'ACME' });
  expect(order).toMatchObject({ parameters: { name: 'Acme', symbol: 'ACME' } });
});
