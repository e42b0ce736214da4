import { join } from 'node:path';
import Database from 'libsql';

/** Changes the record of a transaction in the sandbox's own file, past the sandbox. */
export function editRecord(
  dataDir: string,
  { id }: { id: string },
  change: (doc: Record<string, unknown>) => void,
): void {
  const database = new Database(join(dataDir, 'sandbox.db'));
  const [text] = database.prepare('SELECT doc FROM transactions WHERE id = ?').pluck().all(id);
  const doc = JSON.parse(String(text));
  change(doc);
  database.prepare('UPDATE transactions SET doc = ? WHERE id = ?').run(JSON.stringify(doc), id);
  database.close();
}
