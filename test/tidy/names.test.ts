import { readTexts } from './files';
import { checkNames, sharedIn, sharedNames } from './names';
import { repositoryPaths, type Source, show } from './source';

const texts = readTexts(repositoryPaths());

function file(path: string, text: string): Source {
  return { path, text };
}

describe('the exported names', () => {
  test('stand in one file each', () => {
    expect(show(checkNames(texts))).toBe('');
  });

  test('that stand in several files are few, and each has its reason', () => {
    expect(Object.keys(sharedNames).length).toBeLessThanOrEqual(15);
    const shared = sharedIn(texts).map(([name]) => name);
    expect(shared.sort()).toEqual(Object.keys(sharedNames).sort());
  });
});

describe('the check of names', () => {
  test('names a function, a class, a constant and a type that two files export', () => {
    const one = file('src/pay.ts', 'export function judge() {}\nexport class Paid {}\n');
    const other = file('sandbox/pay.ts', 'export const judge = 1;\nexport type Paid = 1;\n');
    expect(checkNames([one, other]).map(({ path, line }) => `${path}:${line}`)).toEqual([
      'src/pay.ts:1',
      'sandbox/pay.ts:1',
      'src/pay.ts:2',
      'sandbox/pay.ts:2',
    ]);
  });

  test('lets own types, own functions, tests and overloads have the same name', () => {
    const overloads = 'export function a(b: 1): 1;\nexport function a(b: 2): 2;\n';
    const body = 'export function a(b: number): number {\n  return b;\n}\n';
    const own = 'function a() {}\ntype B = 1;\n';
    expect(
      checkNames([
        file('src/a.ts', `${overloads}${body}export type B = 2;\n`),
        file('src/b.ts', own),
        file('test/b.ts', body),
      ]),
    ).toEqual([]);
  });

  test('lets a kind of order have one name in its places, each of them once', () => {
    const burn = 'export const burn = 1;\n';
    const places = ['src/orders/burn.ts', 'workflows/burn.ts', 'src/cli/commands/burn.ts'];
    expect(checkNames(places.map((path) => file(path, burn)))).toEqual([]);
    const twice = [...places, 'workflows/burnAgain.ts'];
    expect(checkNames(twice.map((path) => file(path, burn)))).toHaveLength(4);
    const elsewhere = [...places, 'src/chain/burn.ts'];
    expect(checkNames(elsewhere.map((path) => file(path, burn)))).toHaveLength(4);
  });
});
