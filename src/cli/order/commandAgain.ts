import type { Call } from '../call';
import { today } from '../rates/ratesFlags';

/**
 * The whole command that goes on with an order: the given command, with the order's id and the day
 * of its rates. Newer rates would make another order of it.
 */
export function commandAgain({ args, flags }: Pick<Call, 'args' | 'flags'>, id: string): string {
  const isDayOpen = flags.rates !== undefined && flags.ratesDay === undefined;
  const named = [
    ...args,
    ...(flags.id === undefined ? ['--id', id] : []),
    ...(isDayOpen ? ['--rates-day', today()] : []),
  ];
  return ['npx --no-install steadfast', ...named.map(inShell)].join(' ');
}

/** A word as a shell reads it. */
function inShell(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
