import { openExistingArchive } from '../../books/archive/openArchive';
import { counted } from '../../orders/progress/doing';
import { broken, type Finding, fine, firstLine } from '../../health/finding';

const toldMax = 20;

/** Checks that the archive can be read, and that no two receipts of one write contradict. */
export async function checkArchive(store: string): Promise<Finding> {
  try {
    const archive = await openExistingArchive(store);
    const found = await archive.contradicting(toldMax).finally(() => archive.close());
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
  } catch (error) {
    return broken('Archive', firstLine(error), 'The first worker with STEADFAST_STORE makes it.');
  }
}
