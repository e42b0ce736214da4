import { canonicalJson } from '../../src/custody/canonicalJson';

describe('canonical JSON', () => {
  test('is that of the examples in RFC 8785', () => {
    const value = {
      numbers: [Number('333333333.33333329'), 1e30, 4.5, 2e-3, 1e-27],
      string: '\u20ac$\u000f\nA\'B"\\\\"/',
      literals: [null, true, false],
    };
    expect(canonicalJson(value)).toBe(
      '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],' +
        '"string":"\u20ac$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
    );
  });

  test('sorts keys by their UTF-16 code units, at every depth', () => {
    const keys = ['\u20ac', '\r', '\ufb33', '1', '\ud83d\ude00', '\u0080', '\u00f6', '10', '2'];
    const sorted = ['\r', '1', '10', '2', '\u0080', '\u00f6', '\u20ac', '\ud83d\ude00', '\ufb33'];
    const fields = sorted.map((key) => `${JSON.stringify(key)}:0`).join();
    const inner = Object.fromEntries(keys.map((key) => [key, 0]));
    expect(canonicalJson([{ b: inner, a: inner }])).toBe(`[{"a":{${fields}},"b":{${fields}}}]`);
  });

  test('leaves out what is undefined', () => {
    expect(canonicalJson({ a: undefined, b: { c: undefined } })).toBe('{"b":{}}');
  });
});
