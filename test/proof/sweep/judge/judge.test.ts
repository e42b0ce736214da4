import type { Hashes } from '../../../../proof/sweep/flows/flow';
import { type Judged, judge } from '../../../../proof/sweep/judge/judge';
import type { Transaction } from '../../../../src/custody/objects/transaction';

const token = '0x3600000000000000000000000000000000000000';
const log = { token, from: '0xa', to: '0xb', value: 7n, txHash: '0x1', block: 5n };

function recordOf(txHash: string, state = 'COMPLETE'): Transaction {
  return {
    id: `record of ${txHash}`,
    blockchain: 'ARC-TESTNET',
    state,
    transactionType: 'OUTBOUND',
    createDate: '',
    updateDate: '',
    txHash,
    refId: 'sweep-000001 transfer/1',
  };
}

function faultsOf(change: Partial<Judged>): string[] {
  const judged: Judged = {
    effects: [{ what: 'transfer', token, value: 7n }],
    hashes: ({ txHash }) => [txHash],
    end: { status: 'COMPLETED', receipt: { txHash: '0x1' } },
    logs: { transfers: [log], deployments: [] },
    records: [recordOf('0x1')],
    ...change,
  };
  return judge(judged).map(({ fault }) => fault);
}

describe('the judge of an order', () => {
  test('has no complaint when chain, receipt and records agree', () => {
    expect(faultsOf({})).toEqual([]);
  });

  test('sees what was paid twice, to whomever', () => {
    const twice = [log, { ...log, to: '0xc', txHash: '0x2' }];
    const records = [recordOf('0x1'), recordOf('0x2')];
    expect(faultsOf({ logs: { transfers: twice, deployments: [] }, records })).toContain(
      'duplicate',
    );
  });

  test('sees what another order was paid under the same id', () => {
    const other = { ...log, value: 8n, txHash: '0x2' };
    const never: Judged['never'] = [{ what: 'transfer', token, value: 8n }];
    expect(faultsOf({ never })).toEqual([]);
    expect(faultsOf({ never, logs: { transfers: [log, other], deployments: [] } })).toEqual([
      'duplicate',
    ]);
  });

  test('sees that a limit was passed, by the sum of its wallets up to a block', () => {
    const later = { ...log, from: '0xc', value: 8n, txHash: '0x2', block: 6n };
    const stranger = { ...log, from: '0xd', value: 9n, txHash: '0x3' };
    const faultsWith = (max: bigint, toBlock?: bigint) =>
      faultsOf({
        bounds: [{ from: ['0xa', '0xc'], max, ...(toBlock === undefined ? {} : { toBlock }) }],
        logs: { transfers: [log, later, stranger], deployments: [] },
      });
    expect(faultsWith(15n)).toEqual([]);
    expect(faultsWith(14n)).toEqual(['passed']);
    expect(faultsWith(7n, 5n)).toEqual([]);
    expect(faultsWith(6n, 5n)).toEqual(['passed']);
  });

  test('accepts an order that must fail only if it says why, and nothing moved', () => {
    const rejected = { failsWith: /ann has rejected it/, effects: [], records: [] };
    const never: Judged['never'] = [{ what: 'transfer', token, value: 7n }];
    const none = { transfers: [], deployments: [] };
    const end = { status: 'ENDED', why: 'Refused: ann has rejected it.' } as const;
    expect(faultsOf({ ...rejected, never, end, logs: none })).toEqual([]);
    expect(faultsOf({ ...rejected, never, end })).toEqual(['duplicate']);
    expect(faultsOf({ ...rejected, end: { ...end, why: 'Failed' } })).toEqual(['disagrees']);
    expect(faultsOf(rejected)).toEqual(['disagrees']);
  });

  test('sees what was paid to somebody else', () => {
    const effects: Judged['effects'] = [{ what: 'transfer', token, value: 7n, to: '0xc' }];
    expect(faultsOf({ effects })).toEqual(['disagrees']);
  });

  test('accepts a cancelled order only if it was to be cancelled and nothing moved', () => {
    const end = { status: 'CANCELLED', why: 'The order was cancelled.' } as const;
    const none = { transfers: [], deployments: [] };
    const records = [recordOf('', 'CANCELLED')];
    expect(faultsOf({ end, logs: none, records, isCancelled: true })).toEqual([]);
    expect(faultsOf({ end, logs: none, records: [], isCancelled: true })).toEqual([]);
    expect(faultsOf({ end, logs: none, records })).toContain('lost');
    expect(faultsOf({ end, records, isCancelled: true })).toEqual(['disagrees']);
    expect(faultsOf({ end, logs: none, isCancelled: true })).toEqual(['disagrees']);
  });

  test('accepts one failed record only if the order was resubmitted', () => {
    const records = [recordOf('0x1'), recordOf('', 'FAILED')];
    expect(faultsOf({ records, isResubmitted: true })).toEqual([]);
    const twice = [...records, recordOf('', 'FAILED')];
    expect(faultsOf({ records: twice, isResubmitted: true })).toEqual(['disagrees']);
  });

  test('sees what was never paid, and is not misled by other amounts and tokens', () => {
    const others = [
      { ...log, value: 8n },
      { ...log, token: '0xc' },
    ];
    expect(faultsOf({ logs: { transfers: others, deployments: [] } })).toContain('lost');
  });

  test('calls an order that still runs stuck, and not lost', () => {
    const end = { status: 'RUNNING', why: 'Unknown' } as const;
    const none = { logs: { transfers: [], deployments: [] }, records: [] };
    expect(faultsOf({ ...none, end })).toEqual(['stuck', 'disagrees']);
  });

  test('sees an order that failed while the money left', () => {
    expect(faultsOf({ end: { status: 'ENDED', why: 'FAILED' } })).toEqual(['disagrees']);
  });

  test('compares the receipt and the records with the chain', () => {
    expect(faultsOf({ end: { status: 'COMPLETED', receipt: { txHash: '0x2' } } })).toEqual([
      'disagrees',
    ]);
    expect(faultsOf({ records: [] })).toEqual(['disagrees', 'disagrees']);
    expect(faultsOf({ records: [recordOf('0x1'), recordOf('', 'FAILED')] })).toEqual(['disagrees']);
  });

  test('compares the lines of a payout with the chain and with its receipt', () => {
    const lines: Partial<Judged> = { hashes: ({ lineHashes = [] }) => [...lineHashes] };
    const told = (receipt: Hashes) => faultsOf({ ...lines, end: { status: 'COMPLETED', receipt } });
    expect(told({ lineHashes: ['0x1'] })).toEqual([]);
    expect(told({ lineHashes: ['line-1 is failed'] })).toEqual(['disagrees']);
    expect(told({ lineHashes: ['0x1'], contradiction: '0 of 1 lines' })).toEqual(['disagrees']);
  });

  test('counts deployments by the name on the chain, and mints by the recipient', () => {
    const deployment = { contract: '0xd', name: 'sweep-000001', txHash: '0x1' };
    const mint = { ...log, token: '0xd', from: `0x${'0'.repeat(40)}`, txHash: '0x2' };
    const effects: Judged['effects'] = [
      { what: 'deployment', name: 'sweep-000001' },
      { what: 'mint', to: '0xb', value: 7n },
    ];
    const whole = {
      effects,
      hashes: () => ['0x1', '0x2'],
      records: [recordOf('0x1'), recordOf('0x2')],
    };
    expect(faultsOf({ ...whole, logs: { transfers: [mint], deployments: [deployment] } })).toEqual(
      [],
    );
    const twice = {
      transfers: [mint],
      deployments: [deployment, { ...deployment, txHash: '0x3' }],
    };
    expect(faultsOf({ ...whole, logs: twice })).toContain('duplicate');
  });
});
