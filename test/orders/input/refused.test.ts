import { BadOrderError, readOrder } from '../../../src/orders/input/read';
import { kinds, type OrderKind } from '../../../src/orders/kinds';
import { address, deploy, fund, transfer, walletId } from '../samples';

const notAnAmount = 'is not an amount: give plain digits such as "12.50", no sign and no exponent.';
const noWallet = 'must be {"walletId": "<uuid>"} or {"walletAddress": "0x…"}.';
const noUuid = 'must be a UUID such as "1f0c2a9e-7b1d-4c8e-9a54-0d6f3b2e8c17".';
const noFraction = 'is not a fraction from 0 to 1 in steps of 0.0001. 0.1 means 10 percent.';
const recipient = `0x${'1'.repeat(40)}`;
const oneDigitOff = address.replace('9B', '9b');
const fee = { platformFeeRecipient: address };

describe('a transfer is refused, with the field, its value and the way out named, for', () => {
  it.each<[string, object, string]>([
    [
      'an address that is too short',
      { to: '0x12' },
      'to: "0x12" is not an address: give 0x and 40 hexadecimal digits.',
    ],
    [
      'an address without 0x',
      { to: 'a'.repeat(40) },
      `to: "${'a'.repeat(40)}" is not an address: give 0x and 40 hexadecimal digits.`,
    ],
    [
      'an address with a wrong checksum',
      { to: oneDigitOff },
      `to: "${oneDigitOff}" has a wrong checksum (EIP-55): a digit may be mistyped. ` +
        'Copy it again from its source.',
    ],
    ['a name instead of an address', { to: 5 }, 'to: 5 must be text, in quotes.'],
    ['no address', { to: undefined }, 'to: is missing. It must be text, in quotes.'],
    ['a negative amount', { amount: '-1' }, `amount: "-1" ${notAnAmount}`],
    ['an amount with a plus', { amount: '+1' }, `amount: "+1" ${notAnAmount}`],
    ['an amount of zero', { amount: '0' }, 'amount: "0" must be more than zero.'],
    [
      'an amount of zero with decimals',
      { amount: '0.00' },
      'amount: "0.00" must be more than zero.',
    ],
    [
      'an amount finer than the token',
      { amount: '1.1234567' },
      'amount: "1.1234567" has 7 decimals, but USDC has 6.',
    ],
    [
      'an amount finer than the native coin',
      { amount: `1.${'1'.repeat(19)}`, token: 'native' },
      'amount: "1.1111111111111111111" has 19 decimals, but native has 18.',
    ],
    ['an exponent', { amount: '1e3' }, `amount: "1e3" ${notAnAmount}`],
    ['digits of another script', { amount: '١٢' }, `amount: "١٢" ${notAnAmount}`],
    ['leading zeros', { amount: '012' }, `amount: "012" ${notAnAmount}`],
    ['a decimal comma', { amount: '1,5' }, `amount: "1,5" ${notAnAmount}`],
    ['no digits', { amount: '' }, `amount: "" ${notAnAmount}`],
    [
      'an amount as a number, which may have been rounded already',
      { amount: 12.5 },
      'amount: 12.5 must be text, in quotes.',
    ],
    ['no amount', { amount: undefined }, 'amount: is missing. It must be text, in quotes.'],
    [
      'a token that nobody knows',
      { token: 'usdc' },
      'token: "usdc" is not a known token: give USDC, EURC, native or the address of an ERC-20 ' +
        'contract.',
    ],
    ['no token', { token: undefined }, 'token: is missing. It must be text, in quotes.'],
    ['no sender', { from: undefined }, `from: is missing. It ${noWallet}`],
    ['neither id nor address of the sender', { from: {} }, `from: {} ${noWallet}`],
    [
      'both id and address of the sender',
      { from: { walletId, walletAddress: recipient } },
      `from: {"walletId":"${walletId}","walletAddress":"0x1111111111… ${noWallet}`,
    ],
    ['a bare sender', { from: 'me' }, `from: "me" ${noWallet}`],
    ['a wallet id that is none', { from: { walletId: 'x' } }, `from.walletId: "x" ${noUuid}`],
    [
      'a wallet address that is none',
      { from: { walletAddress: '0x1' } },
      'from.walletAddress: "0x1" is not an address: give 0x and 40 hexadecimal digits.',
    ],
    [
      'a wallet address with a wrong checksum',
      { from: { walletAddress: oneDigitOff } },
      `from.walletAddress: "${oneDigitOff}" has a wrong checksum (EIP-55): ` +
        'a digit may be mistyped. Copy it again from its source.',
    ],
    [
      'a fee level that nobody knows',
      { feeLevel: 'FAST' },
      'feeLevel: "FAST" must be one of LOW, MEDIUM, HIGH.',
    ],
    [
      'a day instead of a moment',
      { validUntil: '2026-01-31' },
      'validUntil: "2026-01-31" must be a moment such as "2026-01-31T12:00:00Z".',
    ],
    [
      'a reference that is a book',
      { reference: 'x'.repeat(201) },
      `reference: "${'x'.repeat(79)}… must have at most 200 characters.`,
    ],
    [
      'a generation of no write',
      { generations: { transfer: 1 } },
      'generations.transfer: 1 must be named "<step>/<item>", such as "transfer/1".',
    ],
    [
      'a generation below zero',
      { generations: { 'transfer/1': -1 } },
      'generations.transfer/1: -1 must be at least 0.',
    ],
    [
      'half a generation',
      { generations: { 'transfer/1': 0.5 } },
      'generations.transfer/1: 0.5 must be a whole number.',
    ],
    [
      'a dry run that is misspelt, which must not move money because nobody knew the word',
      { dryrun: true },
      'dryrun: true has no place in this order. Leave it out.',
    ],
    [
      'a field that is misspelt',
      { feelevel: 'HIGH' },
      'feelevel: "HIGH" has no place in this order. Leave it out.',
    ],
  ])('%s', (_what, change, message) => {
    expect(refusal('transferStablecoin', { ...transfer, ...change })).toBe(message);
  });

  it('several faults, each in a sentence of its own', () => {
    expect(refusal('transferStablecoin', { ...transfer, to: '0x1', amount: '-1' })).toBe(
      'to: "0x1" is not an address: give 0x and 40 hexadecimal digits. ' +
        `amount: "-1" ${notAnAmount}`,
    );
  });
});

describe('a deployment is refused, with the field, its value and the way out named, for', () => {
  it.each<[string, object, string]>([
    [
      'a template that nobody knows',
      { template: 'nft' },
      'template: "nft" is not a known template: give fungible, uniqueItem, multiToken, airdrop ' +
        'or the id of a template.',
    ],
    ['a wallet id that is none', { walletId: 'w' }, `walletId: "w" ${noUuid}`],
    ['no name', { name: '' }, 'name: "" must have at least 1 character.'],
    ['no parameters', { parameters: undefined }, 'parameters: is missing. It must be an object.'],
    ['a negative initial supply', { mint: { amount: '-1' } }, `mint.amount: "-1" ${notAnAmount}`],
  ])('%s', (_what, change, message) => {
    expect(refusal('deployContract', { ...deploy, ...change })).toBe(message);
  });

  it.each<[string, object, string]>([
    [
      'a token without a name',
      { name: undefined },
      'name: is missing. It must be text, in quotes.',
    ],
    [
      'a fee without a recipient',
      { platformFeePercent: 0.1 },
      'platformFeePercent: 0.1 needs platformFeeRecipient (--fee-recipient), the address that receives the fee.',
    ],
    [
      'a fee finer than a basis point',
      { ...fee, platformFeePercent: 0.12345 },
      `platformFeePercent: 0.12345 ${noFraction}`,
    ],
    [
      'a fee finer than a basis point, in quotes',
      { ...fee, platformFeePercent: '0.12345' },
      `platformFeePercent: "0.12345" ${noFraction}`,
    ],
    [
      'a fee above all there is',
      { ...fee, platformFeePercent: 10 },
      `platformFeePercent: 10 ${noFraction}`,
    ],
    [
      'a fee below nothing',
      { ...fee, platformFeePercent: -0.1 },
      `platformFeePercent: -0.1 ${noFraction}`,
    ],
    [
      'a fee with a percent sign',
      { ...fee, platformFeePercent: '10%' },
      `platformFeePercent: "10%" ${noFraction}`,
    ],
    [
      'an administrator who is no address',
      { defaultAdmin: 'me' },
      'defaultAdmin: "me" is not an address: give 0x and 40 hexadecimal digits.',
    ],
    [
      'a forwarder who is no address',
      { trustedForwarders: [address, '0x1'] },
      'trustedForwarders.1: "0x1" is not an address: give 0x and 40 hexadecimal digits.',
    ],
    [
      'metadata that is nowhere',
      { contractUri: 'token' },
      'contractUri: "token" must be a URL such as "https://example.com/contract.json".',
    ],
    [
      'a parameter that the template lacks',
      { decimals: 6 },
      'decimals: 6 has no place in this order. Leave it out.',
    ],
  ])('%s', (_what, change, message) => {
    const order = { ...deploy, parameters: { ...deploy.parameters, ...change } };
    expect(refusal('deployContract', order)).toBe(`parameters.${message}`);
  });
});

describe('other orders are refused, with the field, its value and the way out named, for', () => {
  const noSource = 'must be "faucet", "external" or the treasury wallet as {"walletId": "<uuid>"}.';

  it.each<[string, OrderKind, unknown, string]>([
    [
      'no wallets at all',
      'provisionWallets',
      { name: 'a', count: 0 },
      'count: 0 must be at least 1.',
    ],
    [
      'more wallets than a request may have',
      'provisionWallets',
      { name: 'a', count: 201 },
      'count: 201 must be at most 200.',
    ],
    [
      'a number in quotes',
      'provisionWallets',
      { name: 'a', count: '2' },
      'count: "2" must be a number, without quotes.',
    ],
    [
      'a kind of account that is none',
      'provisionWallets',
      { name: 'a', accountType: 'MSCA' },
      'accountType: "MSCA" must be one of SCA, EOA.',
    ],
    ['a bank', 'fundWallet', { ...fund, source: 'bank' }, `source: "bank" ${noSource}`],
    [
      'a treasury that is no wallet',
      'fundWallet',
      { ...fund, source: { walletId: 'x' } },
      `source.walletId: "x" ${noUuid}`,
    ],
    [
      'a treasury with a wrong checksum',
      'fundWallet',
      { ...fund, source: { walletAddress: oneDigitOff } },
      `source.walletAddress: "${oneDigitOff}" has a wrong checksum (EIP-55): ` +
        'a digit may be mistyped. Copy it again from its source.',
    ],
    [
      'a fund finer than its token',
      'fundWallet',
      { ...fund, amount: '0.0000001' },
      'amount: "0.0000001" has 7 decimals, but USDC has 6.',
    ],
    [
      'a mint of nothing',
      'mintTokens',
      { walletId, contractAddress: address, to: address, amount: '0' },
      'amount: "0" must be more than zero.',
    ],
    [
      'a sequence with a wallet, since it makes its own',
      'deploymentSequence',
      deploy,
      `walletId: "${walletId}" has no place in this order. Leave it out.`,
    ],
    [
      'a sequence that is finer than its token',
      'transferSequence',
      { name: 'a', amount: '0.0000001', token: 'EURC' },
      'amount: "0.0000001" has 7 decimals, but EURC has 6.',
    ],
  ])('%s', (_what, kind, order, message) => {
    expect(refusal(kind, order)).toBe(message);
  });
});

function refusal(kind: OrderKind, order: unknown): string {
  try {
    readOrder(kinds[kind].order, order);
  } catch (error) {
    if (error instanceof BadOrderError) return error.message;
    throw error;
  }
  return 'It was taken.';
}
