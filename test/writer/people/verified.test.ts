import { verifiedRequest, verifiedSignature } from '../../../src/writer/people/verified';
import { textOf } from '../../../src/writer/signing/statement';
import { signedOrders } from './signedOrders';

const office = signedOrders();

describe('a signature that was checked before', () => {
  it('is no signature of another text, and none for another purpose', async () => {
    const text = textOf(office.ordered('1.5').statement);
    const signed = await office.keys.backend.sign(text, 'request');
    const key = verifiedSignature(signed, 'request');
    expect(verifiedSignature({ ...signed }, 'request')).toBe(key);
    const forged = { ...signed, statement: text.replace('"1.5"', '"9.5"') };
    expect(forged.statement).not.toBe(text);
    for (let time = 0; time < 2; time += 1) {
      expect(() => verifiedSignature(forged, 'request')).toThrow('It does not fit the statement.');
      expect(() => verifiedSignature(signed, 'approval')).toThrow(/not for .*approv/);
    }
    const other = await office.keys.ann.sign(text, 'request');
    expect(verifiedSignature(other, 'request').publicKey).not.toBe(key.publicKey);
  });
});

describe('a request that was read before', () => {
  it('is read again as it was, also after a hundred others', () => {
    const statements = Array.from({ length: 101 }, () => office.ordered('1').statement);
    for (let time = 0; time < 2; time += 1) {
      for (const one of statements) expect(verifiedRequest(textOf(one))).toEqual(one);
    }
  });
});
