import { randomUUID } from 'node:crypto';
import { feesOf } from '../../src/policy/fees';
import { scriptedCustody } from '../support/service/scriptedCustody';

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
  const feeOf = feesOf(custody);
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
