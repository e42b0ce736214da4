import { randomUUID } from 'node:crypto';
import { formatUnits, getAddress, parseGwei } from 'viem';
import { templateIds } from '../../../../src/custody/objects/template';
import type { FeeEstimate } from '../../../../src/custody/objects/transaction';
import { parametersOf } from '../../../support/chain/deployments';
import { setUp } from '../../../support/jest/setUp';
import { blockchain, eurc, inSandbox, transferOf, usdc } from '../../../support/sandbox';

const stranger = '0x00000000000000000000000000000000000057a2';
const approval = {
  contractAddress: usdc,
  abiFunctionSignature: 'approve(address,uint256)',
  abiParameters: [stranger, '1'],
};
const transfer = 'transactions/transfer/estimateFee';
const execution = 'transactions/contractExecution/estimateFee';

const sandbox = inSandbox();
const sca = setUp(() => sandbox.fundedWallet('SCA'));
const eoa = setUp(() => sandbox.fundedWallet('EOA'));
const empty = setUp(() => sandbox.wallet('EOA'));

/** A transfer of one USDC, or of what the fields say. */
const moving = (fields: object = {}) => ({
  walletId: eoa.id,
  tokenAddress: usdc,
  blockchain,
  destinationAddress: stranger,
  amounts: ['1'],
  ...fields,
});

const tips = { low: '2.74', medium: '3.39', high: '4.45' } as const;
const maxFees = { low: '42.74', medium: '43.39', high: '44.45' } as const;
const levels = ['low', 'medium', 'high'] as const;

/** Every level as its gas limit makes it, to the last wei. */
function levelsOf(gasLimit: string) {
  return Object.fromEntries(
    levels.map((level) => [
      level,
      {
        gasLimit,
        baseFee: '20',
        priorityFee: tips[level],
        maxFee: maxFees[level],
        networkFee: formatUnits(BigInt(gasLimit) * parseGwei(maxFees[level]), 18),
        networkFeeRaw: formatUnits(
          BigInt(gasLimit) * (parseGwei(tips[level]) + 20n * 10n ** 9n),
          18,
        ),
      },
    ]),
  );
}

describe('an estimate', () => {
  it('of an EOA has three levels, and nothing else', async () => {
    const { status, body } = await sandbox.request('POST', transfer, { body: moving() });
    const { data } = body as { data: FeeEstimate };
    expect(status).toBe(200);
    expect(data).toEqual(levelsOf(data.low.gasLimit));
  });

  it('of an SCA has the limits of its operation too', async () => {
    const { body } = await sandbox.request('POST', transfer, {
      body: moving({ walletId: sca.id }),
    });
    const { callGasLimit, verificationGasLimit, preVerificationGas, ...rest } = (
      body as { data: FeeEstimate }
    ).data;
    const gas =
      Number(callGasLimit) + 3 * Number(verificationGasLimit) + Number(preVerificationGas);
    expect(rest).toEqual(levelsOf(gas.toString()));
  });

  it.each(['SCA', 'EOA'] as const)('of an %s is what its transfer then has', async (type) => {
    const from = type === 'SCA' ? sca : eoa;
    const { medium } = await sandbox.client.estimateTransfer(moving({ walletId: from.id }));
    const { id } = await sandbox.client.createTransfer(transferOf(from, stranger));
    const { networkFeeRaw: _, ...estimatedFee } = medium;
    expect((await sandbox.settled(id)).estimatedFee).toEqual(estimatedFee);
  });

  it('of a transfer of the native coin is the least gas there is', async () => {
    const input = moving({ tokenAddress: '' });
    expect(await sandbox.client.estimateTransfer(input)).toEqual(levelsOf('21000'));
    const record = await sandbox.pay(eoa, stranger, { tokenAddress: '' });
    expect(record).toMatchObject({ state: 'COMPLETE', estimatedFee: { gasLimit: '21000' } });
  });

  it('is given for any address, whoever has its key', async () => {
    const input = { ...approval, sourceAddress: stranger, blockchain };
    const { low } = await sandbox.client.estimateExecution(input);
    expect(Number(low.gasLimit)).toBeGreaterThan(21_000);
  });

  it('knows the smart account of a wallet by its address', async () => {
    const input = { ...approval, sourceAddress: sca.address, blockchain };
    expect(await sandbox.client.estimateExecution(input)).toHaveProperty('callGasLimit');
  });

  it('changes nothing on the chain', async () => {
    const { client } = sandbox.chain;
    const sent = () => client.getTransactionCount({ address: getAddress(eoa.address) });
    const [{ number }, count] = [await client.getBlock(), await sent()];
    await sandbox.client.estimateTransfer(moving());
    expect(await sent()).toBe(count);
    const { number: last } = await client.getBlock();
    for (let blockNumber = number + 1n; blockNumber <= last; blockNumber += 1n) {
      expect(await client.getBlockTransactionCount({ blockNumber })).toBe(0);
    }
  });
});

describe('the estimate of a deployment', () => {
  const item = { royaltyRecipient: stranger, royaltyPercent: 0.1, symbol: 'ITM' };
  it.each([
    ['fungible', {}],
    ['uniqueItem', item],
    ['multiToken', item],
    ['airdrop', undefined],
  ] as const)('of the template %s has three levels', async (template, change) => {
    const templateParameters =
      change === undefined ? { defaultAdmin: sca.address } : parametersOf(sca, change);
    const input = { id: templateIds[template], blockchain, templateParameters };
    const mine = await sandbox.client.estimateDeployment({ ...input, walletId: sca.id });
    const others = await sandbox.client.estimateDeployment({ ...input, sourceAddress: stranger });
    expect(mine).toEqual(levelsOf(mine.low.gasLimit));
    expect(others).toEqual(levelsOf(others.low.gasLimit));
    expect(Number(others.low.gasLimit)).toBeGreaterThan(100_000);
  });

  it('is refused by the codes of the contract side', async () => {
    const url = (id: string) => `templates/${id}/deploy/estimateFee`;
    const refused = async (id: string, body: object) =>
      (await sandbox.request('POST', url(id), { body })).body;
    const good = { blockchain, walletId: sca.id, templateParameters: parametersOf(sca) };
    const { fungible } = templateIds;
    const { defaultAdmin: _, ...partial } = parametersOf(sca);
    expect([
      await refused(randomUUID(), good),
      await refused(fungible, { ...good, templateParameters: partial }),
      await refused(fungible, { ...good, sourceAddress: stranger }),
      await refused(fungible, { ...good, walletId: undefined, sourceAddress: 'me' }),
      await refused(fungible, { ...good, walletId: randomUUID() }),
      await refused(fungible, { ...good, blockchain: 'ETH' }),
    ]).toMatchObject([175201, 175204, 177016, 175410, 177601, 175404].map((code) => ({ code })));
  });
});

describe('an estimate is refused', () => {
  const anywhere = { walletId: undefined };
  it.each<[string, () => object, number, number]>([
    ['of more of a token than there is', () => moving({ amounts: ['21'] }), 400, 155205],
    [
      'of more of the native coin than there is',
      () => moving({ tokenAddress: '', amounts: ['21'] }),
      400,
      155204,
    ],
    ['from a wallet that has nothing', () => moving({ walletId: empty.id }), 400, 155258],
    ['to an address that is none', () => moving({ destinationAddress: '0x1' }), 400, 155219],
    ['of an address that is no token', () => moving({ tokenAddress: '0x1' }), 400, 155239],
    ['of no decimal', () => moving({ amounts: ['1e3'] }), 400, 155224],
    ['of two amounts', () => moving({ amounts: ['1', '1'] }), 400, 155221],
    ['of two senders', () => moving({ sourceAddress: stranger }), 400, 155244],
    ['of a wallet that is not there', () => moving({ walletId: randomUUID() }), 404, 156001],
    ['of a bad sender', () => moving({ ...anywhere, sourceAddress: 'me' }), 400, 155226],
    [
      'of an address on another chain',
      () => moving({ walletId: undefined, sourceAddress: stranger, blockchain: 'ETH-SEPOLIA' }),
      400,
      156027,
    ],
  ])('%s', async (_case, input, status, code) => {
    const answer = await sandbox.request('POST', transfer, { body: input() });
    expect(answer).toMatchObject({ status, body: { code } });
  });

  it('of a call that reverts, with its reason', async () => {
    const body = {
      walletId: sca.id,
      contractAddress: usdc,
      abiFunctionSignature: 'mint(address,uint256)',
      abiParameters: [stranger, '1'],
    };
    const answer = await sandbox.request('POST', execution, { body });
    expect(answer).toMatchObject({
      status: 400,
      body: { code: 155208, message: expect.stringContaining('Ownable') },
    });
  });

  it('of a sender or receiver in another case of letters never, as its transfer is not', async () => {
    const upper = (address: string) => `0x${address.slice(2).toUpperCase()}`;
    const mixed = `0x${sca.address.slice(2, 22).toUpperCase()}${sca.address.slice(22)}`;
    const spelt = [
      moving({ ...anywhere, blockchain, sourceAddress: upper(sca.address) }),
      moving({ ...anywhere, blockchain, sourceAddress: mixed }),
      moving({ destinationAddress: upper(stranger) }),
    ];
    for (const body of spelt) {
      expect((await sandbox.request('POST', transfer, { body })).status).toBe(200);
    }
    const body = { walletId: sca.id, contractAddress: upper(eurc), callData: '0x06fdde03' };
    expect((await sandbox.request('POST', execution, { body })).status).toBe(200);
  });

  it('without a key', async () => {
    const { status } = await sandbox.request('POST', transfer, { body: moving(), headers: {} });
    expect(status).toBe(401);
  });
});
