import { randomUUID } from 'node:crypto';
import type { JudgedCall } from '../../src/writer/call/shapes';
import { boundingFees } from '../../src/writer/fees';
import { scriptedCustody } from '../support/service/scriptedCustody';

const payee = '0x523b27014ba9331e4a6c1bd7bc3b2b9f3b2bec7d';
const contract = '0x00000000000000000000000000000000000000c0';

const walletOf = (accountType: string) => ({ id: 'w1', address: '0x1', accountType });

function levels(networkFee: string) {
  const rest = { gasLimit: '1', baseFee: '1', priorityFee: '1', maxFee: '1', networkFeeRaw: '1' };
  const level = { ...rest, networkFee };
  return { low: level, medium: level, high: level };
}

it('the fee of a call is estimated again when its body is another, whatever its key says', async () => {
  const fees = ['1', '7'];
  const custody = scriptedCustody({
    estimateExecution: (_, call) => levels(fees[call - 1] ?? '0'),
  });
  const bounding = boundingFees(custody);
  const feeOf = async (call: JudgedCall) => (await bounding(call, undefined)).fee;
  const idempotencyKey = randomUUID();
  const asked = (abiParameters: string[]) =>
    feeOf({
      method: 'executeContract',
      input: {
        idempotencyKey,
        refId: 'order',
        feeLevel: 'MEDIUM',
        walletId: 'w1',
        contractAddress: '0x1',
        abiFunctionSignature: 'f(uint256)',
        abiParameters,
      },
    });
  expect(await asked(['1'])).toBe(2n * 10n ** 18n);
  expect(await asked(['2'])).toBe(14n * 10n ** 18n);
});

it('the fee of native coins is that of their recipient and amount, and of a token that of the token', async () => {
  const asked: string[] = [];
  const custody = scriptedCustody({
    estimateTransfer: ({ destinationAddress }) => {
      asked.push(destinationAddress);
      return levels(destinationAddress === contract ? '0.75' : '0.005');
    },
  });
  const bounding = boundingFees(custody);
  const to = async (
    destinationAddress: `0x${string}`,
    tokenAddress: `0x${string}` | '',
    { amount = '1', accountType = 'EOA' } = {},
  ) => {
    const call: JudgedCall = {
      method: 'createTransfer',
      input: {
        idempotencyKey: randomUUID(),
        refId: 'order',
        feeLevel: 'MEDIUM',
        walletAddress: '0x1',
        blockchain: 'ARC-TESTNET',
        tokenAddress,
        destinationAddress,
        amounts: [amount],
      },
    };
    return (await bounding(call, walletOf(accountType))).fee;
  };
  const cheap = 10n ** 16n;
  expect(await to(payee, '')).toBe(cheap);
  expect(await to(contract, '')).toBe(150n * cheap);
  expect(await to(payee, '')).toBe(cheap);
  expect(await to(payee, '0x2')).toBe(cheap);
  expect(await to(contract, '0x2')).toBe(cheap);
  expect(asked).toEqual([payee, contract, payee]);
  await to(contract, '', { amount: '2' });
  await to(contract, '', { amount: '2' });
  expect(asked.slice(3)).toEqual([contract]);
  // Nothing bounds the gas of a smart account, so it is estimated each time.
  await to(contract, '', { accountType: 'SCA' });
  await to(contract, '', { accountType: 'SCA' });
  expect(asked.slice(4)).toEqual([contract, contract]);
});

it('calls of one name at the same time cost one estimate', async () => {
  let count = 0;
  const custody = scriptedCustody({
    estimateTransfer: () => {
      count += 1;
      return levels('1');
    },
  });
  const bounding = boundingFees(custody);
  const transfer = (): JudgedCall => ({
    method: 'createTransfer',
    input: {
      idempotencyKey: randomUUID(),
      refId: 'order',
      feeLevel: 'MEDIUM',
      walletAddress: '0x1',
      blockchain: 'ARC-TESTNET',
      tokenAddress: '0x2',
      destinationAddress: payee,
      amounts: ['1'],
    },
  });
  const asked = [transfer(), transfer()].map((call) => bounding(call, walletOf('EOA')));
  expect((await Promise.all(asked)).map(({ fee }) => fee)).toEqual(Array(2).fill(2n * 10n ** 18n));
  expect(count).toBe(1);
});
