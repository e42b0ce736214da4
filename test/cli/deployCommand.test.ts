import { deploy } from '../../src/cli/commands/deploy';

const flags = { template: 'airdrop', name: 'Drop', contractUri: 'https://drop.example' };

it('spells the metadata of an airdrop as its template does', () => {
  expect(deploy.fields(flags)).toMatchObject({
    parameters: { contractURI: 'https://drop.example' },
  });
  expect(deploy.fields({ ...flags, template: 'fungible' })).toMatchObject({
    parameters: { contractUri: 'https://drop.example' },
  });
});

it('needs no parameters where the template needs none', () => {
  const order = deploy.fields({ template: 'airdrop', name: 'Drop' });
  expect(deploy.complete?.(order)).toMatchObject({ name: 'Drop', parameters: {} });
});

it("takes the contract's name for the token's, unless that is given", () => {
  const named = deploy.fields({ name: 'Acme', symbol: 'ACME' });
  expect(deploy.complete?.(named)).toMatchObject({ parameters: { name: 'Acme', symbol: 'ACME' } });
});
