import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { templateIds } from '../../../src/custody/objects/template';
import type { Wallet } from '../../../src/custody/objects/wallet';
import { deploymentOf } from '../../support/chain/deployments';
import { setUp } from '../../support/jest/setUp';
import { transferOf } from '../../support/sandbox';
import { inStagedSandbox, someone } from '../../support/stages';

const sandbox = inStagedSandbox();
const client = setUp(async () => sandbox.client);

const denyAndFreeze = ['DENY', 'REVIEW', 'FREEZE_WALLET'];

async function stateOf(wallet: Wallet): Promise<string> {
  return (await client.getWallet({ id: wallet.id })).wallet.state;
}

describe('a transfer to an address that a rule is about', () => {
  it.each([
    ['999999999999', 'Circle’s Sanctions Blocklist', 'BLOCKLIST', 'SANCTIONS', denyAndFreeze],
    ['999999998888', 'Frozen User Wallet', 'BLOCKLIST', 'FROZEN', ['DENY', 'REVIEW']],
    ['999999997777', 'Your blocklist', 'BLOCKLIST', 'UNSUPPORTED', ['DENY', 'REVIEW']],
    ['999999998999', 'Severe Sanctions Risk (Owner)', 'SEVERE', 'SANCTIONS', denyAndFreeze],
    [
      '999999998899',
      'Severe Terrorist Financing Risk (Owner)',
      'SEVERE',
      'TERRORIST_FINANCING',
      denyAndFreeze,
    ],
    ['999999998889', 'Severe CSAM Risk (Owner)', 'SEVERE', 'CSAM', denyAndFreeze],
    [
      '999999997779',
      'Severe Illicit Behavior Risk (Owner)',
      'SEVERE',
      'ILLICIT_BEHAVIOR',
      denyAndFreeze,
    ],
    ['999999997666', 'High Illicit Behavior Risk (Owner)', 'HIGH', 'ILLICIT_BEHAVIOR', ['REVIEW']],
    ['999999997766', 'High Gambling Risk (Owner)', 'HIGH', 'GAMBLING', ['REVIEW']],
  ])('ending in %s is met by "%s"', async (ending, ruleName, riskScore, category, actions) => {
    const from = await sandbox.usedWallet('EOA');
    const to = someone(ending);
    const record = await sandbox.settled(await sandbox.send(from, to));
    const isDenied = actions.includes('DENY');
    expect(record.transactionScreeningEvaluation).toEqual({
      screeningDate: expect.any(String),
      ruleName,
      actions,
      reasons: [
        {
          source: 'ADDRESS',
          sourceValue: to,
          riskScore,
          riskCategories: [category],
          type: 'OWNERSHIP',
        },
      ],
    });
    expect([record.state, record.txHash === undefined]).toEqual(
      isDenied ? ['DENIED', true] : ['COMPLETE', false],
    );
    expect(await stateOf(from)).toBe(actions.includes('FREEZE_WALLET') ? 'FROZEN' : 'LIVE');
    expect(await sandbox.transfers({ to })).toHaveLength(isDenied ? 0 : 1);
  });
});

describe('a frozen wallet', () => {
  it('was changed when the transaction was denied that froze it', async () => {
    const from = await sandbox.usedWallet('EOA');
    // Records show whole seconds.
    await sleep(1_000);
    const denied = await sandbox.settled(await sandbox.send(from, someone('999999999999')));
    const { wallet } = await client.getWallet({ id: from.id });
    expect(wallet).toMatchObject({ state: 'FROZEN', updateDate: denied.updateDate });
  });

  it('sends nothing any more, and each side of the service says so in its own words', async () => {
    const from = await sandbox.usedWallet('SCA');
    await sandbox.settled(await sandbox.send(from, someone('999999999999')));
    const before = await sandbox.holdings(from.id);
    const transfer = await sandbox.signed(
      'developer/transactions/transfer',
      transferOf(from, someone()),
    );
    const deployment = await sandbox.signed(
      `templates/${templateIds.fungible}/deploy`,
      deploymentOf(from),
    );
    expect([transfer.status, transfer.body]).toEqual([
      409,
      { code: 155501, message: 'Frozen wallets can not be updated or interact with, only query.' },
    ]);
    expect([deployment.status, deployment.body]).toEqual([
      400,
      { code: 177301, message: 'wallet is Frozen' },
    ]);
    expect(await sandbox.holdings(from.id)).toEqual(before);
  });

  it('is not renamed, and what it has under way is neither cancelled nor accelerated', async () => {
    const from = await sandbox.usedWallet('EOA');
    await sandbox.plan('stuck');
    const stuck = await sandbox.send(from, someone());
    await sandbox.inState(stuck, 'STUCK');
    await sandbox.settled(await sandbox.send(from, someone('999999999999')));
    const body = { name: 'cold' };
    const key = () => ({ idempotencyKey: randomUUID() });
    const answers = [
      await sandbox.request('PUT', `wallets/${from.id}`, { body }),
      await sandbox.signed(`developer/transactions/${stuck}/cancel`, key()),
      await sandbox.signed(`developer/transactions/${stuck}/accelerate`, key()),
    ];
    const refused = { status: 409, body: { code: 155501 } };
    expect(answers).toMatchObject([refused, refused, refused]);
    expect((await client.getTransaction({ id: stuck })).transaction.state).toBe('STUCK');
  });
});

describe.each(['SCA', 'EOA'] as const)('a fault plan, for an %s', (type) => {
  it('denies a transfer, and a deployment whose contract is then FAILED', async () => {
    const from = await sandbox.usedWallet(type);
    await sandbox.plan('denied');
    const denied = await sandbox.settled(await sandbox.send(from, someone()));
    await sandbox.plan('denied');
    const { contractIds, transactionId } = await client.deployTemplate({
      id: templateIds.fungible,
      ...deploymentOf(from),
    });
    const deployment = await sandbox.settled(transactionId);
    const { contract } = await client.getContract({ id: contractIds[0] ?? '' });
    expect([denied.state, deployment.state, contract.status]).toEqual([
      'DENIED',
      'DENIED',
      'FAILED',
    ]);
    expect(denied.transactionScreeningEvaluation).toMatchObject({ ruleName: 'Your blocklist' });
    expect(await sandbox.settled(await sandbox.send(from, someone()))).toMatchObject({
      state: 'COMPLETE',
    });
  });

  it('lets a transfer revert on the chain: mined and paid, and no token moves', async () => {
    const from = await sandbox.usedWallet(type);
    const to = someone();
    await sandbox.plan('failOnChain');
    const record = await sandbox.settled(await sandbox.send(from, to));
    expect(record).toMatchObject({
      state: 'FAILED',
      errorReason: 'FAILED_ON_CHAIN',
      blockHeight: expect.any(Number),
      networkFee: expect.stringMatching(/^0\.\d+$/),
    });
    const hash = `0x${record.txHash?.slice(2)}` as const;
    const receipt = await sandbox.chain.client.getTransactionReceipt({ hash });
    // A bundle succeeds although an operation in it does not.
    expect(receipt.status).toBe(type === 'EOA' ? 'reverted' : 'success');
    expect(await sandbox.transfers({ to })).toEqual([]);
    expect(await sandbox.settled(await sandbox.send(from, to))).toMatchObject({
      state: 'COMPLETE',
    });
  });
});
