import type { Row } from '../../store/work';
import type { ArchivedReceipt } from '../receipt';
import { changedSince } from './archive';

/** A receipt as it is kept. Its hash tells if somebody has changed it. */
export function receiptIn({ at, doc }: Row): ArchivedReceipt {
  try {
    return JSON.parse(String(doc));
  } catch {
    throw changedSince(`Row ${at} of the archive is not JSON`);
  }
}
