import { join } from 'node:path';
import { openArchive } from '../../../src/books/archive/openArchive';
import { checkArchive } from '../../../src/cli/doctor/checkArchive';
import { newReceipt } from '../../books/archive/stores';
import { newFolder } from '../../support/jest/setUp';
import { runCli } from '../runCli';

const folder = newFolder();

test('an archive in which two receipts of a write contradict needs a person', async () => {
  const store = `file:${join(folder, 'store.db')}`;
  expect(await checkArchive(store)).toMatchObject({ state: 'fault', name: 'Archive' });
  const archive = await openArchive(store);
  const one = newReceipt();
  await archive.append([one, newReceipt()]);
  expect(await checkArchive(store)).toMatchObject({ state: 'fine' });
  const env = { STEADFAST_STORE: store };
  expect((await runCli(['archive', 'verify'], env)).code).toBe(0);
  await archive.append([{ ...one, transactionId: 'another' }]);
  await archive.close();
  expect(await checkArchive(store)).toMatchObject({
    state: 'fault',
    belongsTo: 'operator',
    words: expect.stringContaining('1 receipt contradicts an earlier one of its write'),
    mend: expect.stringContaining(`npx --no-install steadfast receipt ${one.order.id}`),
  });
  const verified = await runCli(['archive', 'verify'], env);
  expect(verified.stdout).toContain(`Two receipts of ${one.order.id} ${one.step}/${one.item}`);
  expect(verified.code).toBe(3);
  const shown = await runCli(['receipt', one.order.id], env);
  const words = `Two receipts of ${one.order.id} (${one.step}/${one.item}) contradict.`;
  expect(shown.stderr).toContain(words);
  expect(shown.stdout).toContain('"contradicts"');
});
