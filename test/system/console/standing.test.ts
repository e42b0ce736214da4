import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { policyTold } from '../../../src/client/account/told';
import { askingWorkers } from '../../../src/console/watch/askWorkers';
import { readPolicyFile } from '../../../src/writer/file/readPolicy';
import { ledgerAt } from '../../../src/writer/ledger/ledgerAt';
import { someone } from '../../support/stages';
import { officeOf } from '../authority/office';

const blockchain = 'ARC-TESTNET';
const payee = someone();
const { folder, taskQueue, ...office } = officeOf('standing', (wallets) => ({
  groups: { treasurers: ['ann'] },
  rules: [
    {
      id: 'out',
      kind: 'limit',
      orders: ['transferStablecoin'],
      wallets: wallets.map(({ id }) => id),
      tokens: ['USDC'],
      to: [payee],
      perTransfer: '1',
      signedBy: 'backends',
    },
  ],
}));

test('a writer tells its policy, and that a newer one is in force', async () => {
  const path = join(folder, 'policy.json');
  const policy = readPolicyFile(path, { blockchain });
  const ask = askingWorkers({ client: office.client(), taskQueue, keyScope: '' });
  const { version, digest } = policy;
  expect(await ask({ about: 'policy' }, policyTold)).toEqual({ version, digest });
  const newer = join(folder, 'newer.json');
  const own = JSON.parse(readFileSync(path, 'utf8'));
  writeFileSync(newer, JSON.stringify({ ...own, version: version + 1 }));
  const ledger = await ledgerAt(join(folder, 'ledger.db'));
  await ledger.putInForce(readPolicyFile(newer, { blockchain }));
  await ledger.close();
  expect(await ask({ about: 'policy' }, policyTold)).toEqual({
    version,
    digest,
    fault: expect.stringContaining(`version ${version + 1}`),
  });
});
