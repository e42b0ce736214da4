import { NoAnswerError } from '../../src/custody/errors';
import { refHash } from '../../src/custody/reference';
import type { WriteEnd } from '../../src/writer/ledger/ledger';
import { openLedger } from '../../src/writer/ledger/openLedger';
import { inSandbox, settled } from '../support/sandbox';
import { limitOf, transferFrom, writerOf } from './writer';

const sandbox = inSandbox();

test('an effect that an operator had found not to be there counts, and raises an alarm', async () => {
  const wallet = await sandbox.usedWallet('EOA');
  // Its key is as good as forgotten at once, and nothing is on its way any more.
  const ledger = openLedger(':memory:', { keyLifetimeMs: -3_600_000 });
  const alarms: WriteEnd[] = [];
  let sent = '';
  const custody = {
    ...sandbox.client,
    createTransfer: async (input: never, how: never) => {
      sent = (await sandbox.client.createTransfer(input, how)).id;
      throw new NoAnswerError('The connection broke.');
    },
  };
  const alarm = (end: WriteEnd) => void alarms.push(end);
  const { api } = writerOf(custody as never, [limitOf(wallet)], { ledger, alarm });
  const { input, how, parts } = transferFrom(wallet, '4');
  await expect(api.createTransfer(input, how)).rejects.toThrow('The connection broke.');
  const reference = { hash: refHash(parts), generation: 0 };
  await ledger.found(reference, { person: 'ann', statement: '', signature: '' });
  const window = { scope: { wallet: wallet.id }, money: 'native', hours: 24 };
  expect((await ledger.usage(window)).counted).toBe(0n);
  await settled(api, sent);
  expect(alarms).toMatchObject([{ ...reference, transactionId: sent, hadEffect: true }]);
  expect((await ledger.usage(window)).counted).toBe(4n * 10n ** 18n);
});
