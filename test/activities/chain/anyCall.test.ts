import { receiptActivities } from '../../../activities/chain/receipt';
import type { Effect } from '../../../src/chain/effect';
import type { CustodyApi } from '../../../src/custody/endpoints';
import type { Transaction } from '../../../src/custody/objects/transaction';
import { setUp } from '../../support/jest/setUp';
import { inSandbox, transferOf } from '../../support/sandbox';
import { someone } from '../../support/stages';

const sandbox = inSandbox();
/** A smart account's operation that has succeeded. Its record is a transfer. */
const other = setUp(async () => {
  const wallet = await sandbox.usedWallet('SCA');
  const { id } = await sandbox.client.createTransfer(transferOf(wallet, someone()));
  return sandbox.settled(id);
});
const failedHash = `0x${'ab'.repeat(32)}`;

/** The data of this call is not known, so that any call of the account may be it. */
function unknownCall(from: string): Effect {
  const abiFunctionSignature = 'mint(uint256)';
  const of = { contractAddress: someone(), abiFunctionSignature, abiParameters: ['many'] };
  return { kind: 'call', from, of };
}

/** Asks for the call of a record whose operation is in no block. */
function ask(own: Partial<Transaction>, custody: Pick<CustodyApi, 'listTransactions'>) {
  const { id = 'own', userOpHash = failedHash } = own;
  const { sourceAddress: sender = '' } = other;
  const since = new Date(0).toISOString();
  const search = { id, isSmart: true, since, knownAt: since, heardMs: Date.now() };
  const question = { sender, userOpHash, effect: unknownCall(sender), search };
  return receiptActivities(sandbox.rpcUrl, { custody }).checkReceipt(question);
}

const without: Pick<CustodyApi, 'listTransactions'> = {
  listTransactions: async () => ({ transactions: [] }),
};

describe('an operation of which nobody knows what it has called', () => {
  it('is that of the record that names it, and pays no other one', async () => {
    const { client } = sandbox;
    const answer = await ask({}, client);
    expect(answer).toMatchObject({ found: 'absent', replaced: false });
    expect(answer.other ?? '').not.toContain('another record');
    expect(answer).not.toHaveProperty('txHash');
    expect(await ask(other, client)).toMatchObject({ found: 'success', faults: [] });
  });

  it('proves nothing while no record names it', async () => {
    const answer = await ask({}, without);
    expect(answer).toMatchObject({ found: 'absent', replaced: false });
    expect(answer.other).toContain('which may be it');
  });
});
