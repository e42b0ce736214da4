import type { Call } from '../call';

/** The whole command that goes on with an order: the given command, with the order's id. */
export function commandAgain({ args, flags }: Pick<Call, 'args' | 'flags'>, id: string): string {
  const named = flags.id === undefined ? [...args, '--id', id] : args;
  return ['npx --no-install steadfast', ...named.map(inShell)].join(' ');
}

/** A word as a shell reads it. */
function inShell(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
