import type { Hex } from 'viem';
import { execute } from '../../../support/chain/foreignToken';
import { inSandbox } from '../../../support/sandbox';
import { someone } from '../../../support/stages';

const sandbox = inSandbox();

describe('a smart account', () => {
  it('executes calls with much data, also several in one bundle', async () => {
    const { client } = sandbox;
    const wallet = await sandbox.usedWallet();
    const sizesBytes = [30_000, 100_000, 30_000, 30_000, 30_000];
    const ids: string[] = [];
    for (const sizeBytes of sizesBytes) {
      const data: Hex = `0x${'5a'.repeat(sizeBytes)}`;
      ids.push(await execute(client, wallet, { to: someone(), data }));
    }
    const records = await Promise.all(ids.map((id) => sandbox.settled(id)));
    expect(records).toMatchObject(sizesBytes.map(() => ({ state: 'COMPLETE' })));
  });
});
