import { getAddress, keccak256, toHex, zeroAddress } from 'viem';
import type { AbiParameter } from '../../../../src/custody/endpoints';
import { templateIds } from '../../../../src/custody/objects/template';
import {
  deploymentOf,
  deployToken,
  parametersOf,
  valuesOf,
} from '../../../support/chain/deployments';
import { setUp } from '../../../support/jest/setUp';
import { inSandbox } from '../../../support/sandbox';

/** EURC's address with one letter in the wrong case. */
const mistyped = '0x89b50855Aa3bE2F677cD6303Cec089B5F319D72a';
const minterRole = keccak256(toHex('MINTER_ROLE'));

const sandbox = inSandbox();
const wallet = setUp(() => sandbox.wallet('SCA'));
const other = setUp(() => sandbox.wallet('SCA'));
/** All eight parameters are set. */
const token = setUp(() =>
  deployToken(sandbox.client, wallet, {
    symbol: 'FST',
    platformFeeRecipient: other.address,
    platformFeePercent: 0.0125,
    contractUri: 'https://example.com/fst.json',
    trustedForwarders: [other.address],
  }),
);

describe('a contract from the fungible template', () => {
  it.each<[string, string, () => AbiParameter[], () => unknown[]]>([
    ['name', 'name()', () => [], () => ['First Token']],
    ['symbol', 'symbol()', () => [], () => ['FST']],
    ['18 decimals', 'decimals()', () => [], () => ['18']],
    ['no supply', 'totalSupply()', () => [], () => ['0']],
    ['contractUri', 'contractURI()', () => [], () => ['https://example.com/fst.json']],
    [
      'primarySaleRecipient',
      'primarySaleRecipient()',
      () => [],
      () => [getAddress(wallet.address)],
    ],
    [
      'platformFeeRecipient and platformFeePercent, in basis points',
      'getPlatformFeeInfo()',
      () => [],
      () => [getAddress(other.address), '125'],
    ],
    ['trustedForwarders', 'isTrustedForwarder(address)', () => [other.address], () => [true]],
    [
      'defaultAdmin, who may mint',
      'hasRole(bytes32,address)',
      () => [minterRole, wallet.address],
      () => [true],
    ],
    [
      'nobody else who may mint',
      'hasRole(bytes32,address)',
      () => [minterRole, other.address],
      () => [false],
    ],
  ])('has on the chain its %s', async (_what, signature, parameters, values) => {
    const call = { signature, parameters: parameters() };
    expect(await valuesOf(sandbox.client, token.address, call)).toEqual(values());
  });

  it('needs no more than its three required parameters', async () => {
    const { address } = await deployToken(sandbox.client, wallet);
    expect(await valuesOf(sandbox.client, address, { signature: 'symbol()' })).toEqual(['']);
    expect(await valuesOf(sandbox.client, address, { signature: 'getPlatformFeeInfo()' })).toEqual([
      zeroAddress,
      '0',
    ]);
  });

  it.each([0, '0', '0.5', 1, '1.0', 0.0001])(
    'takes a fee of %j, as a number or as text',
    async (percent) => {
      const { address } = await deployToken(sandbox.client, wallet, {
        platformFeeRecipient: other.address,
        platformFeePercent: percent,
      });
      expect(
        await valuesOf(sandbox.client, address, { signature: 'getPlatformFeeInfo()' }),
      ).toEqual([getAddress(other.address), String(Number(percent) * 10_000)]);
    },
  );

  it('is as if a parameter that is null was not there', async () => {
    const nulls = { symbol: null, contractUri: null, platformFeePercent: null };
    const upper = `0x${wallet.address.slice(2).toUpperCase()}`;
    const input = parametersOf(wallet, { ...nulls, defaultAdmin: upper });
    expect((await refusal(input)).status).toBe(201);
  });

  it.each([
    ['name', { name: undefined }],
    ['name', { name: '' }],
    ['name', { name: null }],
    ['defaultAdmin', { defaultAdmin: undefined }],
    ['primarySaleRecipient', { primarySaleRecipient: undefined }],
  ])('is refused without its %s', async (name, change) => {
    expect(await refusal(parametersOf(wallet, change))).toEqual({
      status: 400,
      body: { code: 175204, message: `missing required template deployment parameter: ${name}` },
    });
  });

  it.each<[string, object, string]>([
    ['an administrator who is no address', { defaultAdmin: 'me' }, 'defaultAdmin'],
    ['an administrator with a slip in the checksum', { defaultAdmin: mistyped }, 'defaultAdmin'],
    ['a recipient who is no address', { primarySaleRecipient: '0x1' }, 'primarySaleRecipient'],
    ['a symbol that is no text', { symbol: 5 }, 'symbol'],
    ['a forwarder who is no address', { trustedForwarders: ['0x1'] }, 'trustedForwarders.0'],
    ['forwarders that are no list', { trustedForwarders: '0x1' }, 'trustedForwarders'],
    ['a fee above all there is', { platformFeePercent: 1.5 }, 'platformFeePercent'],
    ['a fee below nothing', { platformFeePercent: -0.1 }, 'platformFeePercent'],
    ['a fee finer than basis points', { platformFeePercent: 0.00005 }, 'platformFeePercent'],
    ['a fee that has no text', { platformFeePercent: '' }, 'platformFeePercent'],
    ['a fee that is no number', { platformFeePercent: 'much' }, 'platformFeePercent'],
    ['a parameter that the template lacks', { decimals: 6 }, 'decimals'],
    [
      'a fee without a recipient',
      { platformFeePercent: 0.1 },
      'platformFeePercent needs platformFeeRecipient',
    ],
  ])('is refused with %s', async (_what, change, named) => {
    const recipient = named.includes('needs') ? {} : { platformFeeRecipient: other.address };
    const templateParameters = parametersOf(wallet, { ...recipient, ...change });
    expect(await refusal(templateParameters)).toEqual({
      status: 400,
      body: { code: 175203, message: `invalid template deployment parameter: ${named}` },
    });
  });
});

async function refusal(templateParameters: object) {
  const body = deploymentOf(wallet, { templateParameters });
  const answer = await sandbox.signed(`templates/${templateIds.fungible}/deploy`, body);
  return { status: answer.status, body: answer.body };
}
