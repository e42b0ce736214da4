import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { canonicalJson } from '../../custody/canonicalJson';
import { systemFault } from '../../orders/input/systemFault';
import { issueInWords } from '../../orders/input/words';
import { faultsOf, PolicyError, refusePolicy } from './faults';
import { type Located, MalformedText, parseLocated } from './located';
import type { Policy } from './policy';
import { resolvePolicy } from './resolvePolicy';
import { policySchema } from './schema';

const fileBytesMax = 1_000_000;

/**
 * Reads a policy file, YAML or JSON, for a chain. Throws a PolicyError that names the line and the
 * column of each fault. Paths of address files start at the folder of the policy.
 */
export function readPolicyFile(path: string, { blockchain }: { blockchain: string }): Policy {
  return readPolicy(textOf(path), { blockchain, path });
}

/** Reads the text of a policy. */
export function readPolicy(text: string, from: { blockchain: string; path: string }): Policy {
  const file = basename(from.path);
  const located = locatedIn(text, file);
  const parsed = policySchema.safeParse(located.value, { error: issueInWords });
  if (!parsed.success) refusePolicy(file, faultsOf(parsed.error.issues, located));
  if (!parsed.success) throw new PolicyError(`${file}: is no policy.`);
  const where = { located, folder: dirname(from.path), blockchain: from.blockchain };
  const { faults, policy } = resolvePolicy(parsed.data, where);
  refusePolicy(file, faults);
  const { checks, ...rest } = policy;
  // Without checks the digest is that of versions that did not know of any.
  const said = { ...rest, ...(checks.length > 0 && { checks }), blockchain: from.blockchain };
  return { ...policy, digest: digestOf(said) };
}

function locatedIn(text: string, file: string): Located {
  try {
    return parseLocated(text);
  } catch (error) {
    if (!(error instanceof MalformedText)) throw error;
    refusePolicy(file, [{ place: error.place, words: error.message }]);
    throw error;
  }
}

function textOf(path: string): string {
  try {
    const { size } = statSync(path);
    if (size > fileBytesMax) {
      throw new PolicyError(`${path}: has ${size} bytes, and a policy may have ${fileBytesMax}.`);
    }
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof PolicyError) throw error;
    const reason = systemFault(error) ?? (error instanceof Error ? error.message : String(error));
    throw new PolicyError(`${path}: cannot be read: ${reason}.`);
  }
}

/** SHA-256 of all that a policy says, whatever the order of its words and its comments. */
function digestOf(policy: object): string {
  return createHash('sha256')
    .update(canonicalJson(plain(policy)))
    .digest('hex');
}

/** Maps and sets as JSON has them, in one order. */
function plain(value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString();
  if (value instanceof Map) return plain(Object.fromEntries(value));
  if (value instanceof Set) return [...value].map(String).sort();
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, plain(inner)]));
}
