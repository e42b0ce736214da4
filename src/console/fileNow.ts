import { log } from '../log';
import { readWhenChanged } from '../writer/file/readWhenChanged';
import { Refusal } from './refusal';

/**
 * The content of a file of now. It is read again whenever it changes. A fault of the file refuses
 * each request that needs it. The refusal shows nothing of the fault, since strangers ask too. The
 * log has each fault once.
 */
export function fileNow<Said>(path: string, what: string, read: () => Said): () => Said {
  const now = readWhenChanged(path, read);
  let logged = '';
  return () => {
    try {
      const said = now();
      logged = '';
      return said;
    } catch (error) {
      const why = String(error);
      if (why !== logged) log.error(error, `The console cannot use its ${what}.`);
      logged = why;
      throw new Refusal(503, `The ${what} cannot be used now. The log of the console says why.`);
    }
  };
}
