import type { Archive } from '../books/archive/archive';
import { counted } from '../orders/progress/doing';
import { broken, fine, type HealthFinding } from './finding';

const toldMax = 20;

/** Checks that no two receipts of one write contradict. */
export async function checkContradictions(
  archive: Pick<Archive, 'contradicting'>,
): Promise<HealthFinding> {
  const found = await archive.contradicting(toldMax);
  const [first] = found;
  if (first === undefined) return fine('Archive', 'no two receipts of a write contradict');
  const { order, step, item } = first;
  const most = found.length === toldMax ? 'at least ' : '';
  const verb = found.length === 1 ? 'contradicts' : 'contradict';
  const number = `${counted(found.length, 'receipt')} ${verb}`;
  return broken(
    'Archive',
    `${most}${number} an earlier one of its write, the last one of ${order.id} (${step}/${item})`,
    `Compare both with the service's record: npx --no-install steadfast receipt ${order.id}`,
  );
}
