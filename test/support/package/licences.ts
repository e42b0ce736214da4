import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

const root = join(__dirname, '..', '..', '..');
/** The page with the list. */
export const page = join(root, 'docs', 'reference', 'licences.md');

/** Licences that allow use, change and redistribution under other terms. */
const permissive =
  /^(0BSD|Apache-2\.0|BSD-[23]-Clause|BlueOak-1\.0\.0|CC-BY-4\.0|ISC|MIT|Unlicense)$/;

/**
 * Packages that declare their licence in a form that npm does not read, with the place of the text.
 */
const readByHand: Record<string, string> = {
  memorystream: 'MIT', // the old form, "licenses"
  unionfs: 'Unlicense', // its file LICENSE
};

const entry = z.object({
  version: z.string().optional(),
  license: z.string().optional(),
  dev: z.boolean().optional(),
  devOptional: z.boolean().optional(),
});
const lockFile = z.object({ packages: z.record(z.string(), entry) });

export type Licensed = { name: string; version: string; licence: string };

/** Every package that is installed with Steadfast, on any platform, with its licence. */
export function installedLicences(): Licensed[] {
  const text = readFileSync(join(root, 'package-lock.json'), 'utf8');
  const { packages } = lockFile.parse(JSON.parse(text));
  const all = Object.entries(packages).flatMap(([path, { version = '', ...found }]): Licensed[] => {
    if (path === '' || found.dev || found.devOptional) return [];
    const name = path.replace(/^.*node_modules\//, '');
    return [{ name, version, licence: found.license ?? readByHand[name] ?? 'not said' }];
  });
  const lines = new Map(all.map((one) => [`${one.name}@${one.version}`, one]));
  return [...lines].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one);
}

/** Tells if a licence is permissive: one alternative of an OR, or all parts of an AND. */
export function isPermissive(licence: string): boolean {
  const choices = licence.replace(/[()]/g, '').split(' OR ');
  return choices.some((choice) => choice.split(' AND ').every((part) => permissive.test(part)));
}

/** The text of the page. */
export function licencesPage(): string {
  const all = installedLicences();
  const licences = [...new Set(all.map(({ licence }) => licence))].sort();
  const sums = licences.map(
    (one) => `${one} ${all.filter(({ licence }) => licence === one).length}`,
  );
  return `${lead(all.length, sums)}${all.map(row).join('\n')}\n`;
}

function row({ name, version, licence }: Licensed): string {
  return `| \`${name}\` | ${version} | ${licence} |`;
}

function lead(count: number, sums: readonly string[]): string {
  return `# Licences

Steadfast itself is under [Apache-2.0](../../LICENSE). This is what its ${count} packages declare
that npm installs with it, on any platform; what is for development alone is not among them. The
list is made from the lock file (\`npx tsx test/support/package/licences.ts\`).
A test fails when it is not current, or when one of them is not permissive.

${sums.join(' · ')}

One package declares less than it holds: \`@account-abstraction/contracts\` says MIT, while most of
its Solidity sources say GPL-3.0. The sandbox puts two of them, EntryPoint and paymaster of
ERC-4337, on its chain: compiled, unchanged and as the package ships them. None of it is in the
package of Steadfast, or in what a worker or a backend loads.

| package | version | licence |
|---|---|---|
`;
}

if (require.main === module) writeFileSync(page, licencesPage());
