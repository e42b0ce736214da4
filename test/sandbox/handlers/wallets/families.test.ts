import { getAddress, keccak256, toHex, zeroAddress } from 'viem';
import { type TemplateFamily, templateIds } from '../../../../src/custody/objects/template';
import type { Wallet } from '../../../../src/custody/objects/wallet';
import {
  deploymentOf,
  deployTemplate,
  parametersOf,
  valuesOf,
} from '../../../support/chain/deployments';
import { setUp } from '../../../support/jest/setUp';
import { inSandbox } from '../../../support/sandbox';

const minterRole = keccak256(toHex('MINTER_ROLE'));

const sandbox = inSandbox();
const wallet = setUp(() => sandbox.wallet('SCA'));
const other = setUp(() => sandbox.wallet('SCA'));

describe.each(['uniqueItem', 'multiToken'] as const)('a contract of the family %s', (family) => {
  it('has on the chain all of its ten parameters', async () => {
    const { address } = await deployTemplate(sandbox.client, wallet, {
      family,
      symbol: 'ITEM',
      royaltyRecipient: other.address,
      royaltyPercent: '0.05',
      platformFeeRecipient: wallet.address,
      platformFeePercent: 0.0125,
      contractUri: 'ipfs://items',
      trustedForwarders: [other.address],
    });
    const values = await Promise.all(
      [
        { signature: 'name()' },
        { signature: 'symbol()' },
        { signature: 'contractURI()' },
        { signature: 'primarySaleRecipient()' },
        { signature: 'getDefaultRoyaltyInfo()' },
        { signature: 'getPlatformFeeInfo()' },
        { signature: 'isTrustedForwarder(address)', parameters: [other.address] },
        { signature: 'hasRole(bytes32,address)', parameters: [minterRole, wallet.address] },
        { signature: 'hasRole(bytes32,address)', parameters: [minterRole, other.address] },
      ].map((call) => valuesOf(sandbox.client, address, call)),
    );
    expect(values).toEqual([
      ['First Token'],
      ['ITEM'],
      ['ipfs://items'],
      [getAddress(wallet.address)],
      [getAddress(other.address), '500'],
      [getAddress(wallet.address), '125'],
      [true],
      [true],
      [false],
    ]);
  });

  it('needs its five required parameters alone, and takes a royalty of "0"', async () => {
    const { address } = await deployTemplate(sandbox.client, wallet, {
      family,
      royaltyPercent: '0',
    });
    const royalty = await valuesOf(sandbox.client, address, {
      signature: 'getDefaultRoyaltyInfo()',
    });
    const fee = await valuesOf(sandbox.client, address, { signature: 'getPlatformFeeInfo()' });
    expect({ royalty, fee }).toEqual({
      royalty: [getAddress(wallet.address), '0'],
      fee: [zeroAddress, '0'],
    });
  });

  it.each<[string, object, number, string]>([
    ['without a royalty', { royaltyPercent: undefined }, 175204, 'royaltyPercent'],
    ['without its recipient', { royaltyRecipient: '' }, 175204, 'royaltyRecipient'],
    ['without a name', { name: undefined }, 175204, 'name'],
    ['with a royalty above all there is', { royaltyPercent: 1.01 }, 175203, 'royaltyPercent'],
    [
      'with a royalty finer than basis points',
      { royaltyPercent: '0.00005' },
      175203,
      'royaltyPercent',
    ],
    ['with the other spelling of contractUri', { contractURI: 'x' }, 175203, 'contractURI'],
  ])('is refused %s', async (_what, change, code, name) => {
    const parameters = { ...parametersOf(wallet), ...royaltyOf(wallet), ...change };
    expect(await refusal(family, parameters)).toEqual({
      status: 400,
      body: { code, message: expect.stringMatching(new RegExp(`parameter: ${name}$`)) },
    });
  });
});

describe('an airdrop contract', () => {
  it.each([
    ['its administrator alone', {}, ''],
    ['its contractURI too', { contractURI: 'ipfs://drop' }, 'ipfs://drop'],
  ])('is deployed with %s', async (_what, change, uri) => {
    const { address } = await deployTemplate(sandbox.client, wallet, {
      family: 'airdrop',
      ...change,
    });
    expect(await valuesOf(sandbox.client, address, { signature: 'owner()' })).toEqual([
      getAddress(wallet.address),
    ]);
    expect(await valuesOf(sandbox.client, address, { signature: 'contractURI()' })).toEqual([uri]);
  });

  it.each<[string, object, number, string]>([
    ['without an administrator', { defaultAdmin: undefined }, 175204, 'defaultAdmin'],
    ['with an administrator who is none', { defaultAdmin: '0x1' }, 175203, 'defaultAdmin'],
    ['with the other spelling of contractURI', { contractUri: 'x' }, 175203, 'contractUri'],
    ['with a name, which only tokens have', { name: 'Drop' }, 175203, 'name'],
  ])('is refused %s', async (_what, change, code, name) => {
    expect(await refusal('airdrop', { defaultAdmin: wallet.address, ...change })).toEqual({
      status: 400,
      body: { code, message: expect.stringMatching(new RegExp(`parameter: ${name}$`)) },
    });
  });
});

function royaltyOf(to: Wallet) {
  return { royaltyRecipient: to.address, royaltyPercent: 0 };
}

async function refusal(family: TemplateFamily, templateParameters: object) {
  const body = deploymentOf(wallet, { templateParameters });
  const answer = await sandbox.signed(`templates/${templateIds[family]}/deploy`, body);
  return { status: answer.status, body: answer.body };
}
