import { checkNode } from '../../../src/cli/doctor/chain/checkNode';
import { paperChain } from '../../support/chain/paperChain';
import { eurc } from '../../support/sandbox';
import { startHostileNode } from '../../support/service/hostileNode';

test('a node that refuses no span is told with the largest that it has answered', async () => {
  let largest = 0;
  const { answer } = paperChain({ token: eurc, moves: [] });
  const node = await startHostileNode({
    seed: 5,
    answer: (call, head) => {
      const [filter] = call.params as { fromBlock?: string; toBlock?: string }[];
      const isLogs = call.method === 'eth_getLogs' && filter !== undefined;
      if (isLogs) {
        largest = Math.max(largest, Number(filter.toBlock) - Number(filter.fromBlock) + 1);
      }
      return answer(call, head);
    },
    head: () => 12_000,
    lags: [0],
    callsMax: 400,
    spanMax: 1_000_000,
    logsMax: 100,
  });
  try {
    const { words } = await checkNode(node.url, 'ARC-TESTNET');
    expect(largest).toBe(10_000);
    expect(words).toContain(`tells logs of at least ${largest} blocks at a time`);
  } finally {
    node.close();
  }
});

test('a node that has pruned its history is told with the time that is left', async () => {
  const [head, oldest] = [400_000, 200_000];
  const { answer } = paperChain({ token: eurc, moves: [] });
  const node = await startHostileNode({
    seed: 5,
    answer,
    head: () => head,
    lags: [0],
    callsMax: 400,
    spanMax: 10_000,
    logsMax: 100,
    oldest,
  });
  try {
    const { state, words } = await checkNode(node.url, 'ARC-TESTNET');
    expect(state).toBe('fine');
    const [, from, hours] = /keeps blocks from (\d+) on \(1 d (\d+) h\)/.exec(words) ?? [];
    // Two blocks a second, and the depth is found to within a part of it.
    expect(Number(from)).toBeGreaterThanOrEqual(oldest);
    expect(Number(hours)).toBe(Math.floor(((head - Number(from)) / 2 - 86_400) / 3_600));
    expect(words).not.toContain('Everybody shares');
  } finally {
    node.close();
  }
});
