import type { Wallet } from '../../src/custody/objects/wallet';
import type { Resolved } from '../../src/orders/kind';
import { readOrderOf } from '../../src/orders/kinds';
import { explainWrites, paperWrites } from '../../src/writer/explain';
import { readPolicy } from '../../src/writer/file/readPolicy';
import { blockchain } from '../support/sandbox';
import { someone } from '../support/stages';
import { newLedger } from './people/signedOrders';
import { limitOf } from './writer';

const walletId = '0c3f3d3e-1111-4222-8333-4444aaaa6666';
const limit = limitOf({ id: walletId } as Wallet, { to: 'anyone' });

it('a word about a payout of many lines leaves turns to what is to be sent meanwhile', async () => {
  const policy = readPolicy(JSON.stringify({ version: 1, rules: [limit] }), {
    blockchain,
    path: 'policy.json',
  });
  const lines = Array.from({ length: 20 }, (_, at) => {
    return { lineId: `${at}`, to: someone(), amount: '1', token: 'USDC' };
  });
  const order = readOrderOf('payout', { payoutId: 'march', wallets: [walletId], lines });
  const resolved = { wallets: [{ walletId, address: someone(), accountType: 'EOA' }] };
  const writes = paperWrites('payout', order, resolved as Partial<Resolved> as Resolved);
  const ledger = newLedger();
  const counter = { turns: 0, isOver: false };
  const count = (): void => {
    counter.turns++;
    if (!counter.isOver) setImmediate(count);
  };
  setImmediate(count);
  const paper = { kind: 'payout', writes, requester: undefined, ledger } as const;
  const explained = await explainWrites(policy, blockchain, paper);
  const { turns } = counter;
  counter.isOver = true;
  await ledger.close();
  expect(explained).toHaveLength(lines.length);
  expect(turns).toBeGreaterThanOrEqual(lines.length - 1);
});
