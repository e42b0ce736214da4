import { readFileSync, statSync } from 'node:fs';
import { z } from 'zod';
import { SentenceError } from './orders/input/sentenceError';

/** A variable of the environment is missing or malformed. The message names each one. */
export class ConfigError extends SentenceError {
  override readonly name = 'ConfigError';
}

/** A number in a variable. Each of its faults has the same words, which name its bounds. */
export function numberWhere(fits: (number: number) => boolean, error: string) {
  return z.coerce.number({ error }).refine(fits, { error });
}

/** A port to listen on. */
export const port = numberWhere(
  (port) => Number.isInteger(port) && port >= 0 && port <= 65_535,
  'must be a port number, from 0 to 65535',
);

/** A host to listen on. */
export const host = z.string().regex(/^[\w.:-]{1,253}$/, { error: 'must be an address or a name' });

type Reading = {
  /** The flags of variables that were given as flags. */
  flags?: Readonly<Record<string, string>>;
  /** Faults that are told with those of the schema. A variable is named once. */
  further?: readonly string[];
};

/**
 * Reads variables by their schema. Throws a ConfigError that names each missing or malformed one,
 * by its flag where it was given as one. Values are not repeated, since some are secrets.
 */
export function parse<Schema extends z.ZodType>(
  schema: Schema,
  env: NodeJS.ProcessEnv,
  { flags = {}, further = [] }: Reading = {},
): z.output<Schema> {
  // An empty variable counts as not set. Compose files and shells leave them empty.
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const parsed = schema.safeParse(given);
  if (parsed.success && further.length === 0) return parsed.data;
  const own = (parsed.error?.issues ?? []).map((issue) => {
    const name = String(issue.path[0]);
    return `${flags[name] ?? name}: ${given[name] === undefined ? 'is not set' : issue.message}.`;
  });
  const isNamed = (fault: string) => own.some((one) => nameIn(one) === nameIn(fault));
  throw new ConfigError([...own, ...further.filter((fault) => !isNamed(fault))].join(' '));
}

function nameIn(fault: string): string {
  return /^([A-Z_0-9]+): /.exec(fault)?.[1] ?? fault;
}

/** Runs readers of settings, and throws the faults of all of them as one ConfigError. */
export function refuseTogether(readers: readonly (() => unknown)[]): void {
  const faults = readers.flatMap((read) => {
    try {
      read();
      return [];
    } catch (error) {
      if (!(error instanceof SentenceError)) throw error;
      return [error.message];
    }
  });
  if (faults.length > 0) throw new ConfigError(faults.join(' '));
}

/** A secret, and the variable that it came from. */
type Secret = { name: string; text: string };

/**
 * Reads a secret: from the variable, or from the file that `<name>_FILE` names, as orchestrators
 * mount it. Undefined if neither is set. Throws a ConfigError that never holds the secret.
 */
export function readSecret(name: string, env: NodeJS.ProcessEnv): Secret | undefined {
  // An empty variable counts as not set.
  const text = env[name] || undefined;
  const fileName = `${name}_FILE`;
  const path = env[fileName] || undefined;
  if (text !== undefined && path !== undefined) {
    throw new ConfigError(`${name}: is set, and so is ${fileName}. Set one of them.`);
  }
  if (path !== undefined) return { name: fileName, text: readOwnFile(fileName, path) };
  return text === undefined ? undefined : { name, text };
}

/** The variables, with secrets read from their files. A line end is left out. */
export function withSecrets(names: readonly string[], env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const read = names.map((name) => [name, readSecret(name, env)?.text.trimEnd()]);
  return { ...env, ...Object.fromEntries(read) };
}

/** The text of a file that not everybody may read: orchestrators mount secrets for a group. */
function readOwnFile(name: string, path: string): string {
  try {
    if ((statSync(path).mode & 0o027) === 0) return readFileSync(path, 'utf8');
  } catch {
    throw new ConfigError(`${name}: is not a file that can be read.`);
  }
  throw new ConfigError(
    `${name}: may be read by everybody, or written by its group. Close it with "chmod 600".`,
  );
}
