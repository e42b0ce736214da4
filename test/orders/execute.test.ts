import { readOrder } from '../../src/orders/input/read';
import { kinds } from '../../src/orders/kinds';
import { address, walletId } from './samples';

const call = {
  walletId,
  contractAddress: address,
  abiFunctionSignature: 'mintTo(address,uint256)',
  abiParameters: [address, '5'],
};

const refusal = (fields: object): unknown => {
  try {
    return readOrder(kinds.executeContract.order, { ...call, ...fields });
  } catch (error) {
    return error instanceof Error ? error.message : error;
  }
};

describe('the call of a contract', () => {
  it('is read with the parameters that its function takes', () => {
    expect(readOrder(kinds.executeContract.order, call)).toMatchObject(call);
  });

  it('may have lists and tuples among its parameters', () => {
    const abiFunctionSignature = 'executeBatch((address,uint256,bytes)[],bool)';
    const abiParameters = [[[address, '0', '0x']], true];
    const order = { ...call, abiFunctionSignature, abiParameters };
    expect(readOrder(kinds.executeContract.order, order)).toMatchObject(order);
  });

  it('is refused where no message of Temporal could carry it', () => {
    const abiParameters = [`0x${'ab'.repeat(200_000)}`];
    const sentence = /^The order has 400\d+ bytes as JSON, and may have 300000: no transaction/;
    expect(refusal({ abiFunctionSignature: 'f(bytes)', abiParameters })).toMatch(sentence);
  });

  it('is refused at its first wrong parameter, however many there are', () => {
    const wrong = [['1', ...Array.from({ length: 50_000 }, () => ({}))]];
    const sentence =
      'abiParameters.0.1: {} must be text, a number, true, false, or a list of these.';
    expect(refusal({ abiFunctionSignature: 'f(uint256[])', abiParameters: wrong })).toBe(sentence);
    const { error } = kinds.executeContract.order.safeParse({ ...call, abiParameters: wrong });
    expect(JSON.stringify(error?.issues).length).toBeLessThan(1_000);
  });

  const noFunction =
    'is not the signature of a function: give its name and types, such as "mintTo(address,uint256)".';

  const noInteger = 'does not fit the type uint256: give a whole number as text, such as "5".';

  it.each<[what: string, fields: object, message: string]>([
    [
      'a name without types',
      { abiFunctionSignature: 'mintTo' },
      `abiFunctionSignature: "mintTo" ${noFunction}`,
    ],
    [
      'a type that there is not',
      { abiFunctionSignature: 'mintTo(adress)' },
      `abiFunctionSignature: "mintTo(adress)" ${noFunction}`,
    ],
    [
      'a parameter too few',
      { abiParameters: [address] },
      `abiParameters: ["${address}"] has 1 value, but the function takes 2.`,
    ],
    [
      'no parameters',
      { abiParameters: undefined },
      'abiParameters: is missing. It has 0 values, but the function takes 2.',
    ],
    [
      'an address that is none',
      { abiParameters: ['0x12', '5'] },
      'abiParameters.0: "0x12" is not an address: give 0x and 40 hexadecimal digits.',
    ],
    ['a fraction', { abiParameters: [address, '1.5'] }, `abiParameters.1: "1.5" ${noInteger}`],
    [
      'a number below zero',
      { abiParameters: [address, '-1'] },
      `abiParameters.1: "-1" ${noInteger}`,
    ],
    ['text where a list belongs', { abiParameters: 'all' }, 'abiParameters: "all" must be a list.'],
    [
      'an amount with an exponent',
      { amount: '1e3' },
      'amount: "1e3" is not an amount: give plain digits such as "12.50", no sign and no exponent.',
    ],
    [
      'a field that it does not have',
      { to: address },
      `to: "${address}" has no place in this order. Leave it out.`,
    ],
  ])('is refused for %s', (_, fields, message) => {
    expect(refusal(fields)).toBe(message);
  });
});
