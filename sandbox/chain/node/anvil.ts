import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Child, startChild } from '../../../src/local/childProcess';
import { packageFolder } from '../genesis/sources';
import { callNode } from './callNode';

type AnvilOptions = {
  chainId: number;
  genesisTimestampS: number;
  baseFeePerGas: bigint;
  blockGasLimit: bigint;
};

/** A node that mines only when told to, and the process it runs in. */
export type Anvil = Pick<Child, 'pid' | 'exited' | 'stop' | 'kill' | 'lastLines'> & {
  rpcUrl: string;
};

const startTimeoutMs = 15_000;
/** More than the blocks without a transaction that follow on one with some. */
const statesKept = 16;

/**
 * Starts the node on a free loopback port. It listens when this resolves. Its process is known
 * before that, to whoever may have to end it.
 */
export async function startAnvil(
  options: AnvilOptions,
  noteStarted: (process: Child) => void = () => {},
): Promise<Anvil> {
  const child = startChild({
    command: [binaryPath(), ...argumentsOf(options)],
    // Enough for the shell around it. The node itself reads no environment.
    env: { PATH: '/usr/local/bin:/usr/bin:/bin' },
  });
  noteStarted(child);
  try {
    const [, address] = await child.waitForLine(/Listening on (\S+)/, startTimeoutMs);
    const rpcUrl = `http://${address}`;
    // The address is known only from the log, so the log is silenced only from here on.
    await callNode(rpcUrl, { method: 'anvil_setLoggingEnabled', params: [false] });
    const { pid, exited, stop, kill, lastLines } = child;
    return { rpcUrl, pid, exited, stop, kill, lastLines };
  } catch (error) {
    await child.kill();
    throw error;
  }
}

function argumentsOf(options: AnvilOptions): string[] {
  const values = {
    host: '127.0.0.1',
    port: 0,
    'chain-id': options.chainId,
    timestamp: options.genesisTimestampS,
    'base-fee': options.baseFeePerGas,
    'gas-limit': options.blockGasLimit,
    accounts: 0,
    hardfork: 'osaka',
    // As on Arc, each block is final at once.
    'slots-in-an-epoch': 0,
    // Transactions stand in a block as they were sent, not by what they pay.
    order: 'fifo',
  };
  return [
    ...Object.entries(values).flatMap(([name, value]) => [`--${name}`, String(value)]),
    '--no-mining',
    // Its precompile moves the native coin, as Arc's own does for USDC.
    '--celo',
    // Old states would fill the memory, then a folder at home. Blocks and receipts are kept. The
    // newest states tell why a call was refused, and let a block be mined again.
    '--prune-history',
    String(statesKept),
    '--no-request-size-limit',
    // A page in a browser must not read the chain, let alone command it.
    '--no-cors',
  ];
}

/** The path of the node's program. */
export function binaryPath(): string {
  const processor = process.arch === 'x64' ? 'amd64' : process.arch;
  const packageName = `@foundry-rs/anvil-${process.platform}-${processor}`;
  const path = join(packageFolder(packageName), 'bin', 'anvil');
  if (!existsSync(path)) {
    throw new Error(`The chain's node is missing in ${packageName}: run npm ci again.`);
  }
  return path;
}
