import { randomUUID } from 'node:crypto';
import { formatUnits, type Hex, parseUnits, zeroAddress } from 'viem';
import type { Input } from '../../../../src/custody/endpoints';
import { setUp } from '../../../support/jest/setUp';
import {
  blockchain,
  createWallets,
  eurc,
  inSandbox,
  transferOf,
  usdc,
} from '../../../support/sandbox';

const uuid = expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
const date = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
const hash = expect.stringMatching(/^0x[0-9a-f]{64}$/);
const decimal = expect.stringMatching(/^(0|[1-9]\d*)(\.\d+)?$/);

const sandbox = inSandbox();
const sca = setUp(() => sandbox.fundedWallet('SCA'));
const eoa = setUp(() => sandbox.fundedWallet('EOA'));
const recipient = setUp(() => sandbox.wallet());

const end = async (order: Input<'createTransfer'>) =>
  sandbox.settled((await sandbox.client.createTransfer(order)).id);

describe('a settled transfer', () => {
  const tokens = [
    ['USDC', usdc],
    ['EURC', eurc],
    ['the native coin', ''],
  ] as const;
  const cases = (['SCA', 'EOA'] as const).flatMap((type) =>
    tokens.map(([name, address]) => [name, type, address] as const),
  );

  it.each(cases)(
    'of %s from an %s has every field of the interface',
    async (_name, type, tokenAddress) => {
      const from = type === 'SCA' ? sca : eoa;
      const { id } = await sandbox.client.createTransfer(
        transferOf(from, recipient.address, { tokenAddress, amounts: ['0.25'], refId: 'May rent' }),
      );
      await sandbox.settled(id);
      const { body } = await sandbox.request('GET', `transactions/${id}`);
      expect(body).toEqual({
        data: {
          transaction: {
            id,
            blockchain,
            walletId: from.id,
            tokenId: uuid,
            sourceAddress: from.address,
            destinationAddress: recipient.address,
            transactionType: 'OUTBOUND',
            custodyType: 'DEVELOPER',
            state: 'COMPLETE',
            transactionScreeningEvaluation: { screeningDate: date },
            amounts: ['0.25'],
            nfts: null,
            txHash: hash,
            blockHash: hash,
            blockHeight: expect.any(Number),
            ...(type === 'SCA' ? { userOpHash: hash } : {}),
            networkFee: decimal,
            firstConfirmDate: date,
            operation: 'TRANSFER',
            feeLevel: 'MEDIUM',
            estimatedFee: {
              gasLimit: expect.stringMatching(/^\d+$/),
              networkFee: decimal,
              baseFee: '20',
              priorityFee: '3.39',
              maxFee: '43.39',
            },
            refId: 'May rent',
            abiParameters: null,
            createDate: date,
            updateDate: date,
          },
        },
      });
    },
  );

  it('is on the chain as the record says: block, hash, and one Transfer of the amount', async () => {
    const order = transferOf(sca, recipient.address, { amounts: ['1.5'] });
    const { id } = await sandbox.client.createTransfer(order);
    const record = await sandbox.settled(id);
    const receipt = await sandbox.chain.client.getTransactionReceipt({
      hash: asHex(record.txHash),
    });
    expect(receipt).toMatchObject({
      status: 'success',
      blockHash: record.blockHash,
      blockNumber: BigInt(record.blockHeight ?? 0),
    });
    const transfers = await sandbox.transfers({ from: sca.address });
    expect(transfers.filter(({ transactionHash }) => transactionHash === record.txHash)).toEqual([
      { to: recipient.address, value: parseUnits('1.5', 6), transactionHash: record.txHash },
    ]);
  });
});

describe('a transfer', () => {
  it('is INITIATED when it is accepted, and nothing more is said', async () => {
    const answer = await sandbox.signed(
      'developer/transactions/transfer',
      transferOf(sca, recipient.address),
    );
    expect({ status: answer.status, body: answer.body }).toEqual({
      status: 201,
      body: { data: { id: uuid, state: 'INITIATED' } },
    });
  });

  it('is accepted in the form of the interface document and the client library', async () => {
    const { status, body } = await sandbox.signed('developer/transactions/transfer', {
      idempotencyKey: randomUUID(),
      amount: ['0.5'],
      destinationAddress: recipient.address,
      tokenAddress: usdc,
      blockchain,
      walletAddress: sca.address,
      fee: { type: 'level', config: { feeLevel: 'HIGH' } },
    });
    expect(status).toBe(201);
    const { id } = (body as { data: { id: string } }).data;
    expect(await sandbox.settled(id)).toMatchObject({
      state: 'COMPLETE',
      amounts: ['0.5'],
      feeLevel: 'HIGH',
      walletId: sca.id,
    });
  });

  it('of a coin may have an empty list of items', async () => {
    const record = await end(transferOf(sca, recipient.address, { nftTokenIds: [] }));
    expect(record).toMatchObject({ state: 'COMPLETE', nfts: null });
  });

  it('names its token by address or by the id that its record then shows', async () => {
    const byAddress = transferOf(sca, recipient.address, { tokenAddress: eurc });
    const first = await end(byAddress);
    const { tokenAddress: _, ...order } = transferOf(sca, recipient.address);
    const byId = { ...order, tokenId: '4ea52a96-e6ae-56dc-8336-385bb238755f' };
    const second = await end(byId);
    expect([first.tokenId, second.tokenId]).toEqual([byId.tokenId, byId.tokenId]);
  });

  it.each(['SCA', 'EOA'] as const)(
    'of more than an %s has is accepted, and ends FAILED for lack of the token',
    async (type) => {
      const from = type === 'SCA' ? sca : eoa;
      const order = transferOf(from, recipient.address, { amounts: ['1000'] });
      const { id, state } = await sandbox.client.createTransfer(order);
      const record = await sandbox.settled(id);
      expect(state).toBe('INITIATED');
      expect(record).toMatchObject({
        state: 'FAILED',
        errorReason: 'INSUFFICIENT_TOKEN',
        errorDetails: 'ERC20: transfer amount exceeds balance',
        networkFee: '',
      });
      expect(Object.keys(record)).not.toContain('txHash');
    },
  );

  it.each(['SCA', 'EOA'] as const)(
    'of more of the native coin than an %s has ends FAILED for lack of it',
    async (type) => {
      const from = type === 'SCA' ? sca : eoa;
      const order = transferOf(from, recipient.address, { tokenAddress: '', amounts: ['1000'] });
      const record = await end(order);
      expect(record).toMatchObject({
        state: 'FAILED',
        errorReason: 'INSUFFICIENT_NATIVE_TOKEN',
      });
    },
  );

  it('ends FAILED for lack of the native coin when an EOA cannot pay the fee', async () => {
    const from = await sandbox.wallet();
    await sandbox.client.requestDrip({ address: from.address, blockchain, eurc: true });
    const order = transferOf(from, recipient.address, { tokenAddress: eurc });
    const record = await end(order);
    expect(record).toMatchObject({ state: 'FAILED', errorReason: 'INSUFFICIENT_NATIVE_TOKEN' });
    expect(await sandbox.holdings(from.id)).toEqual({ EURC: '20' });
  });

  it('that has failed does not hold up the next ones of its wallet', async () => {
    const amounts = ['1000', '0.1', '1000', '0.2'];
    const ids: string[] = [];
    for (const amount of amounts) {
      const order = transferOf(eoa, recipient.address, { amounts: [amount] });
      ids.push((await sandbox.client.createTransfer(order)).id);
    }
    const records = await Promise.all(ids.map((id) => sandbox.settled(id)));
    expect(records.map(({ state }) => state)).toEqual(['FAILED', 'COMPLETE', 'FAILED', 'COMPLETE']);
  });

  const needsFee = 'SCA transaction needs feeLevel provided.';
  const cannotBoth = 'Cannot provide both WalletID and SourceAddress/Blockchain.';
  const mismatch = "Wallet and request's blockchain mismatch: ETH-SEPOLIA";
  const toNobody = [155219, 'Invalid destination address.'] as const;
  const ofNoAmount = [155221, 'Invalid amounts in transfer request.'] as const;
  const tooMany = (decimals: number) => ({ amounts: [formatUnits(2n ** 256n, decimals)] });
  it.each<[string, object, number, string]>([
    ['to no address', { destinationAddress: '0x1' }, ...toNobody],
    ['to the zero address', { destinationAddress: zeroAddress }, ...toNobody],
    ['of nothing', { amounts: ['0'] }, ...ofNoAmount],
    ['of less than nothing', { amounts: ['-1'] }, ...ofNoAmount],
    ['of 2^256 base units, which no chain can count', tooMany(6), ...ofNoAmount],
    ['of 2^256 of the native coin', { ...tooMany(18), tokenAddress: '' }, ...ofNoAmount],
    ['finer than its token', { amounts: ['0.0000001'] }, ...ofNoAmount],
    ['of two amounts at once', { amounts: ['1', '1'] }, ...ofNoAmount],
    [
      'of no token on no chain',
      { tokenAddress: undefined, blockchain: undefined },
      155228,
      'Missing token ID: either tokenId or tokenAddress is required',
    ],
    ['without a fee level', { feeLevel: undefined }, 155232, needsFee],
    ['from a wallet named twice', { walletAddress: usdc }, 155244, cannotBoth],
    ['on another chain', { blockchain: 'ETH-SEPOLIA' }, 155225, mismatch],
  ])('is refused at once %s', async (_what, change, code, message) => {
    const order = transferOf(sca, recipient.address, change);
    const answer = await sandbox.signed('developer/transactions/transfer', order);
    expect({ status: answer.status, body: answer.body }).toEqual({
      status: 400,
      body: { code, message },
    });
  });

  it.each([
    [
      'from a wallet',
      { walletId: randomUUID() },
      156001,
      "Cannot find target wallet in the system. Either the specified wallet doesn't exist or it's not accessible to the caller.",
    ],
    [
      'of a token',
      { tokenAddress: recipientOf('1') },
      156002,
      "Cannot find target token in the system. Either the specified token doesn't exist or it's not accessible to the caller.",
    ],
  ])('is refused with 404 %s that is not there', async (_what, change, code, message) => {
    const order = transferOf(sca, recipient.address, change);
    const answer = await sandbox.signed('developer/transactions/transfer', order);
    expect({ status: answer.status, body: answer.body }).toEqual({
      status: 404,
      body: { code, message },
    });
  });

  it.each(['SCA', 'EOA'] as const)(
    'is refused at once from an %s that holds nothing',
    async (accountType) => {
      const [empty = sca] = await createWallets(sandbox.client, { accountType });
      await expect(
        sandbox.client.createTransfer(transferOf(empty, recipient.address)),
      ).rejects.toThrow(
        'createTransfer was answered with 400, code 155258: ' +
          'The asset amount owned by the wallet is insufficient for the transaction.',
      );
    },
  );
});

function recipientOf(digit: string): string {
  return `0x${digit.repeat(40)}`;
}

function asHex(text = ''): Hex {
  return `0x${text.slice(2)}`;
}
