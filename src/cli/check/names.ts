import { emptyBook } from '../../checks/book';
import { networkNamed } from '../../config';
import { SentenceError } from '../../orders/input/sentenceError';
import type { NameOf } from '../../writer/file/namesOf';
import type { Call } from '../call';
import { visible } from '../show/visible';
import { bookIn } from './checkOrder';

type Told = Pick<Call, 'terminal' | 'voice'>;

/**
 * Knows the names of addresses: from the address book of this machine, then from the groups of its
 * policy. A policy that cannot be read is noted. Throws a BookError.
 */
export function namesIn({ terminal: { env }, voice }: Told, book = bookIn(env)): NameOf {
  const { STEADFAST_POLICY_FILE: path } = env;
  if (!path) return book.nameOf;
  const { namesOf }: typeof import('../../writer/file/namesOf') =
    require('../../writer/file/namesOf');
  const { readPolicyFile }: typeof import('../../writer/file/readPolicy') =
    require('../../writer/file/readPolicy');
  try {
    return namesOf(book, readPolicyFile(path, { blockchain: networkNamed(env) }));
  } catch (error) {
    if (!(error instanceof SentenceError)) throw error;
    voice.note(`The policy tells no names. ${firstLine(error)}`);
    return book.nameOf;
  }
}

/**
 * Lines for people with known names behind their addresses. No fault of a file holds them up. The
 * files are read only for lines that have an address.
 */
export function withKnownNames(lines: readonly string[], told: Told): string[] {
  let known: NameOf | undefined;
  return lines.map((line) =>
    line.replace(/0x[0-9a-fA-F]{40}\b/g, (address) => {
      known ??= shownNames(told);
      const name = known(address);
      return name ? `${address} (${visible(name)})` : address;
    }),
  );
}

function shownNames(told: Told): NameOf {
  try {
    return namesIn(told);
  } catch (error) {
    if (!(error instanceof SentenceError)) throw error;
    told.voice.note(`The address book tells no names. ${firstLine(error)}`);
    return namesIn(told, emptyBook);
  }
}

/** A file may have many faults. The commands that need it tell all of them. */
function firstLine({ message }: Error): string {
  return message.split('\n', 1).join('');
}
