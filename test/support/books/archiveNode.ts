import { createServer } from 'node:http';
import {
  createTestClient,
  type Hex,
  http,
  pad,
  publicActions,
  toEventSelector,
  toHex,
  walletActions,
} from 'viem';
import { binaryPath } from '../../../sandbox/chain/node/anvil';
import { startChild } from '../../../src/local/childProcess';
import { listening } from '../service/listening';

/** A node that keeps old balances, with the id of Arc's test network. */
const chain = { id: 5042002, name: 'arc', nativeCurrency: { name: '', symbol: '', decimals: 18 } };

/** Starts such a node, with one rich account. */
export async function startArchiveNode() {
  const own = ['--port', '0', '--chain-id', '5042002', '--accounts', '1'];
  const { PATH = '' } = process.env;
  const child = startChild({
    command: [binaryPath(), ...own, '--slots-in-an-epoch', '0'],
    env: { PATH },
  });
  const [, address] = await child.waitForLine(/Listening on (\S+)/, 15_000);
  const rpcUrl = `http://${address}`;
  const client = createTestClient({
    mode: 'anvil',
    chain: { ...chain, rpcUrls: { default: { http: [rpcUrl] } } },
    transport: http(rpcUrl),
  })
    .extend(publicActions)
    .extend(walletActions);
  return { rpcUrl, client, stop: () => child.kill() };
}

type Params = { address?: unknown; fromBlock?: string; toBlock?: string };
type StrictCall = { method: string; params?: Params[] };

/** Stands before a node. It may refuse a call, with a sentence. */
export async function startStrictNode(
  rpcUrl: string,
  refuses: (call: StrictCall) => string | undefined,
) {
  const server = createServer(async (request, response) => {
    const given = JSON.parse(Buffer.concat(await request.toArray()).toString());
    const answered = [given].flat().map(async (call) => {
      const message = refuses(call);
      if (message !== undefined) {
        return { jsonrpc: '2.0', id: call.id, error: { code: -32_602, message } };
      }
      const headers = { 'content-type': 'application/json' };
      const told = await fetch(rpcUrl, { method: 'POST', headers, body: JSON.stringify(call) });
      return told.json();
    });
    const all = await Promise.all(answered);
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(Array.isArray(given) ? all : all[0]));
  });
  const { url, close } = await listening(server);
  return { url, close };
}

const topic = toEventSelector('Transfer(address,address,uint256)').slice(2);
const [from, to, units] = ['600435', '602435', '604435'];
/** Calls of `balanceOf` go on at its end. Any other one moves, and logs that. */
const head = (balanceOf: number) =>
  `5f3560e01c6370a082311461${balanceOf.toString(16).padStart(4, '0')}57`;
const log = `${units}5f52${to}${from}7f${topic}60205fa300`;
const move = `${units}${from}5403${from}55${units}${to}5401${to}55`;

function codeOf(does: string, balance: string): Hex {
  const length = (head(0) + does + log).length / 2;
  return `0x${head(length)}${does}${log}5b${balance}5f5260205ff3`;
}

/** A token whose balances are what it has moved. Anybody moves anything. */
export const plainToken: Hex = codeOf(move, `${from}54`);
/** A token that logs movements and has none: all of its balances are nothing. */
export const lyingToken: Hex = codeOf('', '5f');

/** The call of one of them that moves units from one account to another. */
export function moving(one: Hex, other: Hex, amount: bigint): Hex {
  const words = [pad(one), pad(other), pad(toHex(amount))].map((word) => word.slice(2));
  return `0x00000000${words.join('')}`;
}
