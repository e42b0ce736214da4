import { formatGwei } from 'viem';
import { type Network, networks } from '../../custody/networks/networks';
import type { Call } from '../call';
import { type ExitCode, exitCodes } from '../exit';
import { pc } from '../show/colors';

/** Tells the table of networks. It asks nobody. `doctor` asks the service and the node. */
export function tellNetworks({ voice }: Call): ExitCode {
  const told = Object.entries(networks).map(([name, network]) => {
    const { baseFeeMin, faucet = null, ...facts } = network;
    return { name, ...facts, baseFeeMin: `${baseFeeMin}`, faucet };
  });
  const lines = Object.entries(networks).map(([name, network]) => [
    `${pc.bold(name)} ${pc.dim('·')} ${network.isMain ? 'main network, money is real' : 'test network'}`,
    ...rowsOf(network).map(([label, value]) => `  ${pc.dim(label.padEnd(width))}  ${value}`),
  ]);
  voice.answer(told, lines.flat());
  return exitCodes.done;
}

const width = 'message transmitter'.length;

function rowsOf(network: Network): [label: string, value: string][] {
  const { publicNode, callsFrom, cctp, blockMs, baseFeeMin } = network;
  return [
    ['chain id', `${network.chainId}`],
    ...network.tokens
      .filter(({ address }) => address !== '')
      .map(({ symbol, address, decimals }): [string, string] => {
        const face = network.nativeTwins.includes(address) ? ', the native coin itself' : '';
        return [symbol, `${address}, ${decimals} decimals${face}`];
      }),
    ['base fee', `${formatGwei(baseFeeMin)} gwei at least`],
    ['blocks', `one each ${blockMs / 1_000} s`],
    ['faucet', network.faucet ?? 'none'],
    ['explorer', network.explorer],
    ['public node', publicNode.urls.join(', ')],
    [
      'its limits',
      `${publicNode.callsPerSecond} calls a second, logs of ${publicNode.logBlocks} blocks`,
    ],
    ['batches', `Multicall3From at ${callsFrom.multicall3From}`],
    ['memos', `Memo at ${callsFrom.memo}`],
    ['CCTP domain', `${cctp.domain}`],
    ['token messenger', cctp.tokenMessenger],
    ['message transmitter', cctp.messageTransmitter],
  ];
}
