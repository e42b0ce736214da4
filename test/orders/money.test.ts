import { readOrder } from '../../src/orders/input/read';
import { kinds, type OrderKind } from '../../src/orders/kinds';
import {
  fingerprintOf,
  type MoneyFields,
  moneyDifferences,
  moneyFields,
  sureDifferences,
} from '../../src/orders/money';
import { address, deploy, fund, transfer, walletId } from './samples';

const other = '0x1111111111111111111111111111111111111111';
const usdc = { address: '0x3600000000000000000000000000000000000000' };

describe('the fingerprint of an order', () => {
  it('is the same whether a wallet is named by its id or by its address', () => {
    const byAddress = { ...transfer, from: { walletAddress: address } };
    expect(fingerprintOf(transferMoney(byAddress))).toBe(fingerprintOf(transferMoney({})));
  });

  it('is the same whether a token is named by its symbol or by its address', () => {
    const byAddress = { ...transfer, token: usdc.address };
    expect(fingerprintOf(transferMoney(byAddress))).toBe(fingerprintOf(transferMoney({})));
  });

  it.each([
    ['feeLevel', { feeLevel: 'HIGH' }],
    ['reference', { reference: 'May' }],
    ['validUntil', { validUntil: '2026-01-31T12:00:00Z' }],
    ['generations', { generations: { 'transfer/1': 2 } }],
    ['request', { request: { statement: '{}', signature: 'x'.repeat(60) } }],
    ['another form of the amount', { amount: '12.500000' }],
    ['another form of the address', { to: address.toLowerCase() }],
  ])('is blind to %s', (_what, change) => {
    expect(fingerprintOf(transferMoney(change))).toBe(fingerprintOf(transferMoney({})));
  });

  it('is blind to the order in which the fields are written, at every depth', () => {
    const parameters = { name: 'Token', symbol: 'TOK' };
    const one = deployMoney({ parameters });
    const turned = deployMoney({ parameters: { symbol: 'TOK', name: 'Token' } });
    expect(fingerprintOf(turned)).toBe(fingerprintOf(one));
    expect(fingerprintOf(Object.fromEntries(Object.entries(one).reverse()))).toBe(
      fingerprintOf(one),
    );
  });

  it.each<[string, () => MoneyFields]>([
    ['the amount', () => transferMoney({ amount: '12.51' })],
    ['the recipient', () => transferMoney({ to: other })],
    ['the sender', () => transferMoney({}, { wallet: { address: other } })],
    ['the token', () => transferMoney({}, { token: { address } })],
    ['the native coin instead of a token', () => transferMoney({}, { token: { address: '' } })],
  ])('differs with %s of a transfer', (_what, changed) => {
    expect(fingerprintOf(changed())).not.toBe(fingerprintOf(transferMoney({})));
  });

  it.each([
    ['the wallet', { walletId: '1c3f3d3e-1111-4222-8333-4444aaaa6666' }],
    ['the template', { template: 'multiToken' }],
    ['the name', { name: 'Another token' }],
    ['a parameter', { parameters: { name: 'Token', symbol: 'TOK' } }],
    ['an initial supply', { mint: { amount: '1' } }],
  ])('differs with %s of a deployment', (_what, change) => {
    expect(fingerprintOf(deployMoney(change))).not.toBe(fingerprintOf(deployMoney({})));
  });

  it.each<[string, object, object]>([
    ['the amount', { amount: '2' }, {}],
    ['the source', { source: 'external' }, {}],
    ['the treasury', { source: { walletId } }, { treasury: { address: other } }],
    ['the wallet', {}, { wallet: { address: other } }],
  ])('differs with %s of a funding', (_what, change, named) => {
    expect(fingerprintOf(fundMoney(change, named))).not.toBe(fingerprintOf(fundMoney({}, {})));
  });

  it('differs between kinds of orders with the same fields', () => {
    const money = transferMoney({});
    expect(fingerprintOf({ ...money, kind: 'fundWallet' })).not.toBe(fingerprintOf(money));
  });

  it('never changes, since runs of months ago are compared with it', () => {
    expect(fingerprintOf(transferMoney({}))).toBe(
      '63ed2ab916ae063535d83e039ecd41cb04ae7fce6b493403636e4bcb6b15b0d5',
    );
  });
});

describe('two orders under one id', () => {
  it('differ in nothing when they move the same money', () => {
    expect(moneyDifferences(transferMoney({}), transferMoney({ feeLevel: 'LOW' }))).toEqual([]);
  });

  it('are told apart field by field, in sentences', () => {
    const now = transferMoney({ amount: '13', to: other });
    expect(moneyDifferences(transferMoney({}), now)).toEqual([
      'amount was "12.5", is "13"',
      `to was "${address}", is "${other}"`,
    ]);
  });

  it('are told apart by a field that only one of them has', () => {
    expect(moneyDifferences(deployMoney({}), deployMoney({ mint: { amount: '1' } }))).toEqual([
      'mint was null, is {"amount":"1"}',
    ]);
  });

  it('surely differ only in fields that mean the same before the service was asked', () => {
    const unresolved = moneyFields({
      kind: 'transferStablecoin',
      order: readOrder(kinds.transferStablecoin.order, { ...transfer, amount: '13' }),
    });
    expect(sureDifferences(transferMoney({}), unresolved)).toEqual(['amount was "12.5", is "13"']);
  });
});

type Named = {
  wallet?: { address: string };
  treasury?: { address: string };
  token?: { address: string };
};

function transferMoney(change: object, named: Named = {}): MoneyFields {
  const resolved = { wallet: { address }, token: usdc, ...named };
  return money('transferStablecoin', { ...transfer, ...change }, resolved);
}

function deployMoney(change: object): MoneyFields {
  return money('deployContract', { ...deploy, ...change }, {});
}

function fundMoney(change: object, named: Named): MoneyFields {
  return money(
    'fundWallet',
    { ...fund, ...change },
    { wallet: { address }, token: usdc, ...named },
  );
}

function money(kind: OrderKind, order: unknown, named: Named): MoneyFields {
  return moneyFields({ kind, order: readOrder(kinds[kind].order, order), ...named });
}
