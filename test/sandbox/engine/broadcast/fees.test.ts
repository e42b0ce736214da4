import { formatUnits, type Hex, parseGwei } from 'viem';
import { setUp } from '../../../support/jest/setUp';
import {
  blockchain,
  inSandbox,
  type TestSandbox,
  transferOf,
  usdc,
} from '../../../support/sandbox';

const sandbox = inSandbox();
const sca = setUp(() => sandbox.fundedWallet('SCA'));
const eoa = setUp(() => sandbox.fundedWallet('EOA'));
const recipient = setUp(() => sandbox.wallet());

const none = { feeLevel: undefined };
const prices = { ...none, maxFee: '41.5', priorityFee: '1.25', gasLimit: '150000' };

describe('the fee that is offered', () => {
  it('is what an EOA gives, to the last wei, and the record has no level then', async () => {
    const { transaction, record } = await sent(transferOf(eoa, recipient.address, prices));
    expect(transaction).toMatchObject({
      gas: 150_000n,
      maxFeePerGas: parseGwei('41.5'),
      maxPriorityFeePerGas: parseGwei('1.25'),
    });
    expect(record).not.toHaveProperty('feeLevel');
    expect(record.estimatedFee).toEqual({
      gasLimit: '150000',
      networkFee: formatUnits(150_000n * parseGwei('41.5'), 18),
      baseFee: '20',
      priorityFee: '1.25',
      maxFee: '41.5',
    });
  });

  it('may be a level with a gas limit of an EOA', async () => {
    const order = transferOf(eoa, recipient.address, { feeLevel: 'LOW', gasLimit: '123456' });
    const { transaction, record } = await sent(order);
    expect(transaction).toMatchObject({ gas: 123_456n, maxFeePerGas: parseGwei('42.74') });
    expect(record.feeLevel).toBe('LOW');
  });

  it('may come in the client library form', async () => {
    const { gasLimit, maxFee, priorityFee } = prices;
    const fee = { type: 'absolute', config: { gasLimit, maxFee, priorityFee } };
    const { body } = await sandbox.signed(
      'developer/transactions/transfer',
      transferOf(eoa, recipient.address, { ...none, fee }),
    );
    const record = await sandbox.settled(idOf(body));
    expect(record.estimatedFee?.maxFee).toBe('41.5');
  });

  it('is what the record says was paid: gas used at base fee and tip', async () => {
    const { record } = await sent(transferOf(eoa, recipient.address, prices));
    const receipt = await sandbox.chain.client.getTransactionReceipt({ hash: hashOf(record) });
    expect(receipt.effectiveGasPrice).toBe(parseGwei('21.25'));
    expect(record.networkFee).toBe(formatUnits(receipt.gasUsed * parseGwei('21.25'), 18));
  });
});

describe('a transfer is refused', () => {
  const level = { feeLevel: 'LOW' };
  it.each<[string, 'EOA' | 'SCA', object, number]>([
    ['without any fee', 'EOA', none, 155231],
    ['with prices and no gas limit', 'EOA', { ...prices, gasLimit: undefined }, 155231],
    ['from an SCA without a level', 'SCA', none, 155232],
    ['from an SCA with prices', 'SCA', prices, 155232],
    ['with too little gas', 'EOA', { ...prices, gasLimit: '20999' }, 155233],
    ['with a level and too little gas', 'EOA', { ...level, gasLimit: '20999' }, 155233],
    ['with a level and prices', 'EOA', { ...prices, ...level }, 155234],
    ['with a level and a gas price', 'EOA', { ...level, gasPrice: '40' }, 155234],
    ['from an SCA with a level and a gas limit', 'SCA', { ...level, gasLimit: '90000' }, 155234],
    ['with a gas limit alone', 'EOA', { ...none, gasLimit: '90000' }, 155235],
    ['without a tip', 'EOA', { ...prices, priorityFee: undefined }, 155235],
    ['with a legacy price', 'EOA', { ...none, gasPrice: '40', gasLimit: '90000' }, 155235],
    ['with prices of both kinds', 'EOA', { ...prices, gasPrice: '40' }, 155236],
    ['with a price that is no number', 'EOA', { ...prices, maxFee: 'much' }, 155236],
    ['with a price of parts of a wei', 'EOA', { ...prices, maxFee: '41.0000000001' }, 155236],
    ['with a negative tip', 'EOA', { ...prices, priorityFee: '-1' }, 155236],
    ['with a price of nothing', 'EOA', { ...prices, maxFee: '0', priorityFee: '0' }, 155236],
    ['with a broken gas limit', 'EOA', { ...prices, gasLimit: '1e5' }, 155236],
    ['with a tip above the price', 'EOA', { ...prices, priorityFee: '41.6' }, 155237],
    ['for more than one native token', 'EOA', { ...prices, maxFee: '6667' }, 155211],
    ['with more gas than fits', 'EOA', { ...prices, gasLimit: '16777217' }, 155207],
  ])('%s', async (_case, type, fields, code) => {
    const from = type === 'EOA' ? eoa : sca;
    const order = transferOf(from, recipient.address, { tokenAddress: '', ...fields });
    const { status, body } = await sandbox.signed('developer/transactions/transfer', order);
    expect({ status, body }).toMatchObject({ status: 400, body: { code } });
  });
});

describe('a contract execution and a deployment are refused alike', () => {
  it('by the codes of their side', async () => {
    const { feeLevel: _, ...order } = transferOf(eoa, recipient.address);
    const call = {
      idempotencyKey: order.idempotencyKey,
      walletId: eoa.id,
      contractAddress: usdc,
      abiFunctionSignature: 'transfer(address,uint256)',
      abiParameters: [recipient.address, '1'],
    };
    const executed = await sandbox.signed('developer/transactions/contractExecution', {
      ...call,
      gasLimit: '30000',
      feeLevel: 'LOW',
    });
    expect(executed.body).toMatchObject({ code: 155233 });
    const deploy = (fields: object) =>
      sandbox.signed('templates/a1b74add-23e0-4712-88d1-6b3009e85a86/deploy', {
        idempotencyKey: order.idempotencyKey,
        walletId: eoa.id,
        blockchain,
        name: 'Coin',
        templateParameters: {
          name: 'Coin',
          defaultAdmin: eoa.address,
          primarySaleRecipient: eoa.address,
        },
        ...fields,
      });
    const codes = [];
    for (const fields of [
      {},
      { ...prices, maxFee: undefined },
      { ...prices, priorityFee: '99' },
      { ...prices, maxFee: '9999' },
      { ...prices, gasLimit: '16777217' },
      prices,
    ]) {
      codes.push((await deploy(fields)).body);
    }
    expect(codes).toMatchObject(
      [177011, 177013, 177014, 177010, 177006, 155233].map((code) => ({ code })),
    );
  });
});

async function sent(order: Parameters<TestSandbox['client']['createTransfer']>[0]) {
  const { id } = await sandbox.client.createTransfer(order);
  const record = await sandbox.settled(id);
  expect(record.state).toBe('COMPLETE');
  const transaction = await sandbox.chain.client.getTransaction({ hash: hashOf(record) });
  return { record, transaction };
}

function hashOf({ txHash = '' }: { txHash?: string | undefined }): Hex {
  return `0x${txHash.slice(2)}`;
}

function idOf(body: unknown): string {
  return (body as { data: { id: string } }).data.id;
}
