import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { type Sized, type Sizing, sizeBatchesActivity } from '../../../activities/payout/sizeBatch';
import { markOf } from '../../../src/custody/batch';
import type { CustodyApi } from '../../../src/custody/endpoints';
import { RefusedError } from '../../../src/custody/errors';
import { recipient, scriptedCustody, sender } from '../../support/service/scriptedCustody';

const usdc = '0x3600000000000000000000000000000000000000';
const wallet = { walletId: sender.id, address: sender.address, accountType: 'EOA' };

function batchOf(lines: number): Sizing {
  const payments = Array.from({ length: lines }, (_, at) => ({
    to: recipient,
    baseUnits: String(at + 1),
    mark: markOf('payout:test', String(at), 0),
  }));
  return { wallet, tokenAddress: usdc, payments, feeLevel: 'MEDIUM' };
}

function levels(gas: number, maxFee: string) {
  const rest = { networkFee: '1', networkFeeRaw: '1', baseFee: '20', priorityFee: '3' };
  const level = { ...rest, gasLimit: String(gas), maxFee };
  return { low: level, medium: level, high: level };
}

/** A transfer alone costs 60,000 gas, and a line of a batch half of that. */
function service(maxFee = '43') {
  return scriptedCustody({
    estimateExecution: ({ abiParameters = [] }) => {
      const [calls] = abiParameters;
      return levels(Array.isArray(calls) ? calls.length * 30_000 : 60_000, maxFee);
    },
  });
}

async function size(custody: CustodyApi, sizings: Sizing[]): Promise<Sized[]> {
  const environment = new MockActivityEnvironment({}, { logger: new DefaultLogger('ERROR') });
  const activity = sizeBatchesActivity(custody);
  return environment.run<[Sizing[]], Sized[], typeof activity>(activity, sizings);
}

describe('the gas of batches', () => {
  it('has a margin for each, and one estimate of a single transfer for all', async () => {
    const custody = service();
    expect(await size(custody, [batchOf(10), batchOf(20)])).toEqual([
      { gasLimit: '375000', gasSavedPerLine: 30_000 },
      { gasLimit: '750000', gasSavedPerLine: 30_000 },
    ]);
    expect(custody.calls('estimateExecution')).toHaveLength(3);
  });

  it('is refused for a batch above the gas of a transaction, or above the fee cap', async () => {
    const many = await size(service(), [batchOf(500), batchOf(10)]);
    expect(many).toEqual([
      { refused: expect.stringContaining('a transaction has at most 16777216') },
      expect.objectContaining({ gasLimit: '375000' }),
    ]);
    // At a base fee of 160 gwei.
    expect(await size(service('323.39'), [batchOf(100), batchOf(75)])).toEqual([
      { refused: expect.stringContaining('cost more than the service lets') },
      expect.objectContaining({ gasLimit: '2812500' }),
    ]);
  });

  it('is refused for a batch that the service does not estimate, and told for the others', async () => {
    const custody = scriptedCustody({
      estimateExecution: (_, call) =>
        call === 1
          ? new RefusedError('A line reverts.', { status: 400, code: 155_205 })
          : levels(60_000, '43'),
    });
    expect(await size(custody, [batchOf(2), batchOf(3)])).toEqual([
      { refused: 'The service estimates no fee for it: A line reverts.' },
      { gasLimit: '75000', gasSavedPerLine: 40_000 },
    ]);
  });
});
