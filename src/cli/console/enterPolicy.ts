import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { parseDocument } from 'yaml';
import { z } from 'zod';
import type { Made } from '../../console/invite/invitations';

const lines = z.array(z.string()).default([]);
const policyFile = z.looseObject({
  version: z.number(),
  people: z.record(z.string(), z.object({ keys: lines, signIn: lines })).default({}),
});

/** Adds the passkeys of a person to a policy file, raises its version, and keeps its comments. */
export function enterPolicy(path: string, person: string, { signIn, approval }: Made): void {
  const text = parseDocument(readFileSync(path, 'utf8'));
  const { version, people } = policyFile.parse(text.toJS());
  const known = people[person] ?? { keys: [], signIn: [] };
  text.set('version', version + 1);
  const entered = { keys: [...known.keys, approval], signIn: [...known.signIn, signIn] };
  text.setIn(['people', person], text.createNode(entered));
  const unfinished = `${path}.${process.pid}`;
  // A line of a passkey is never folded, so that a person can copy it.
  writeFileSync(unfinished, text.toString({ lineWidth: 0 }), { mode: 0o600 });
  renameSync(unfinished, path);
}
