import { describeOrder } from '../../src/orders/describe';
import { readOrder } from '../../src/orders/input/read';
import { kindOf, kinds, type OrderKind, orderKinds, readOrderOf } from '../../src/orders/kinds';
import { address, deploy, fund, transfer, walletId } from './samples';

const everywhere = { feeLevel: 'MEDIUM', generations: {} };

describe('an order that has been read', () => {
  it('has its defaults filled in', () => {
    expect(read('transferStablecoin', transfer)).toEqual({
      from: { walletId },
      to: address,
      amount: '12.5',
      token: 'USDC',
      ...everywhere,
    });
  });

  it.each<[string, OrderKind, unknown, object]>([
    ['one SCA wallet', 'provisionWallets', { name: 'a' }, { count: 1, accountType: 'SCA' }],
    ['the faucet', 'fundWallet', fund, { source: 'faucet' }],
    [
      'the fungible template',
      'deployContract',
      deploy,
      { template: 'a1b74add-23e0-4712-88d1-6b3009e85a86' },
    ],
  ])('means %s where it does not say', (_what, kind, order, fields) => {
    expect(read(kind, order)).toMatchObject(fields);
  });

  it.each([
    ['12.50', '12.5'],
    ['1.000000000', '1'],
    ['0.10', '0.1'],
    ['100', '100'],
  ])('has %s as %s, the one form of that amount', (given, amount) => {
    expect(read('transferStablecoin', { ...transfer, amount: given })).toMatchObject({ amount });
  });

  it('has a long amount of the native coin to the last digit', () => {
    const amount = '123456789012345678.123456789012345678';
    const order = { ...transfer, amount, token: 'native' };
    expect(read('transferStablecoin', order)).toMatchObject({ amount });
  });

  it('has every address with its checksum', () => {
    const given = address.toLowerCase();
    const order = { from: { walletAddress: given }, to: given, amount: '1', token: given };
    expect(read('transferStablecoin', order)).toMatchObject({
      from: { walletAddress: address },
      to: address,
      token: address,
    });
  });

  it('has a wallet id in lower case, since both spellings are one wallet', () => {
    const order = { ...transfer, from: { walletId: walletId.toUpperCase() } };
    expect(read('transferStablecoin', order)).toMatchObject({ from: { walletId } });
  });

  it.each([
    ['fungible', 'a1b74add-23e0-4712-88d1-6b3009e85a86'],
    ['uniqueItem', '76b83278-50e2-4006-8b63-5b1a2a814533'],
    ['multiToken', 'aea21da6-0aa2-4971-9a1a-5098842b1248'],
    ['airdrop', '13e322f2-18dc-4f57-8eed-4bddfc50f85e'],
    ['AEA21DA6-0AA2-4971-9A1A-5098842B1248', 'aea21da6-0aa2-4971-9a1a-5098842b1248'],
  ])('has the template %s by its id', (template, id) => {
    const parameters = template === 'airdrop' ? {} : deploy.parameters;
    const order = { ...deploy, template, parameters };
    expect(read('deployContract', order)).toMatchObject({ template: id });
  });

  it('has the parameters of the fungible template in their one form', () => {
    const parameters = {
      name: 'Token',
      symbol: 'TOK',
      defaultAdmin: address.toLowerCase(),
      primarySaleRecipient: address.toLowerCase(),
      platformFeeRecipient: address.toLowerCase(),
      platformFeePercent: '0.0001',
      contractUri: 'https://example.com/token.json',
      trustedForwarders: [address.toLowerCase()],
    };
    expect(read('deployContract', { ...deploy, parameters })).toMatchObject({
      parameters: {
        ...parameters,
        defaultAdmin: address,
        primarySaleRecipient: address,
        platformFeeRecipient: address,
        platformFeePercent: 0.0001,
        trustedForwarders: [address],
      },
    });
  });

  it('takes every fee from nothing to all, basis point by basis point', () => {
    const points = Array.from({ length: 10_001 }, (_, point) => point / 10_000);
    const refused = points.filter((platformFeePercent) => {
      const parameters = { name: 'T', platformFeeRecipient: address, platformFeePercent };
      return !kinds.deployContract.order.safeParse({ ...deploy, parameters }).success;
    });
    expect(refused).toEqual([]);
  });

  it('keeps the parameters of a template that it does not know', () => {
    const parameters = { royaltyPercent: 0, name: 'Item' };
    const order = { ...deploy, template: 'uniqueItem', parameters };
    expect(read('deployContract', order)).toMatchObject({ parameters });
  });

  it('reads as the same order when it is read again', () => {
    const once = read('deployContract', deploy);
    expect(read('deployContract', once)).toEqual(once);
  });
});

describe('the header of an order in Temporal UI', () => {
  it('is a sentence with the caller’s reference, and a list of its fields', () => {
    const order = readOrder(kinds.transferStablecoin.order, { ...transfer, reference: 'May' });
    expect(describeOrder('transferStablecoin', order)).toEqual({
      summary: 'Pay 12.5 USDC to 0x89B5…D72a from wallet 0c3f3d3e · May',
      details: [
        `- **from**: ${walletId}`,
        `- **to**: ${address}`,
        '- **amount**: 12.5',
        '- **token**: USDC',
        '- **feeLevel**: MEDIUM',
        '- **reference**: May',
      ].join('\n'),
    });
  });

  it('is a sentence for every kind', () => {
    const sentences = orderKinds.map((kind) => {
      const { example, sentence } = kindOf(kind);
      return sentence(readOrderOf(kind, example));
    });
    expect(sentences).toEqual([
      'Create 3 SCA wallets "Tills"',
      'Deploy "Our token" with wallet 0c3f3d3e',
      'Mint 1000000 of 0x89B5…D72a to 0x523b…EC7d',
      'Call transfer(address,uint256) of 0x89B5…D72a',
      'Fund 0x523b…EC7d to at least 20 USDC from wallet 0c3f3d3e',
      'Pay 12.5 USDC to 0x523b…EC7d from wallet 0c3f3d3e',
      'Collect USDC of 2 wallets into 0x523b…EC7d',
      'Deploy "Our token" with a new wallet',
      'Pay 12.5 USDC between two new wallets "Tills", funded from wallet 0c3f3d3e',
      'Pay 1 line of "2026-01" from 1 wallet',
    ]);
  });

  it('names a signature, and does not print it', () => {
    const request = { statement: '{}', signature: 'x'.repeat(60) };
    const order = readOrder(kinds.transferStablecoin.order, { ...transfer, request });
    expect(describeOrder('transferStablecoin', order).details).toContain('- **request**: signed');
  });

  it('tells what is nested in words, not as JSON', () => {
    const order = readOrder(kinds.deployContract.order, { ...deploy, mint: { amount: '5' } });
    const { details } = describeOrder('deployContract', order);
    expect(details.split('\n')).toEqual(
      expect.arrayContaining(['- **parameters**: name Token', '- **mint**: amount 5']),
    );
  });
});

function read(kind: OrderKind, order: unknown): unknown {
  return readOrder(kinds[kind].order, order);
}
