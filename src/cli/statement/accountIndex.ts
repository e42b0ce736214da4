import { pacedReads } from '../../books/records/readRecords';
import { readCustodyConfig } from '../../config';
import type { AccountIndex } from '../../store/index/accountIndex';
import { openIndex } from '../../store/index/openIndex';
import { withSecrets } from '../../variables';
import type { Call } from '../call';
import { InputError } from '../exit';
import { type Books, withService } from './books';

/**
 * The account index of the workers. Undefined, with a note, while it has not read the whole list
 * once: then the list of the period is shorter.
 */
export async function indexOf(
  { terminal, voice }: Pick<Call, 'terminal' | 'voice'>,
  { custody, host }: Books,
): Promise<AccountIndex | undefined> {
  const { STEADFAST_STORE: store } = withSecrets(['STEADFAST_STORE'], terminal.env);
  if (!store) {
    throw new InputError(
      '--indexed: needs the index of the workers, and STEADFAST_STORE is not set. Set it to theirs.',
    );
  }
  const config = readCustodyConfig(terminal.env, { signs: false });
  const index = openIndex(pacedReads(custody), config, store);
  if (await withService(host, () => index.isWhole())) return index;
  voice.note('The account index is not complete yet. Reads the list of the service instead.');
  return undefined;
}
