import { randomUUID } from 'node:crypto';
import { concat, getContractAddress, type Hex, pad, toEventSelector, toHex } from 'viem';
import { deterministicDeployer } from '../../../sandbox/chain/genesis/contracts';
import type { CustodyApi } from '../../../src/custody/endpoints';
import type { Wallet } from '../../../src/custody/objects/wallet';
import { settled } from '../sandbox';

/** Sends any contract call. The service must accept it. */
export async function execute(
  client: CustodyApi,
  from: Wallet,
  call: { to: string; data: Hex },
): Promise<string> {
  const { id } = await client.executeContract({
    idempotencyKey: randomUUID(),
    walletId: from.id,
    contractAddress: call.to,
    callData: call.data,
    feeLevel: 'MEDIUM',
  });
  return id;
}

/** Deploys runtime code unchanged, and returns its address. */
export async function deployCode(client: CustodyApi, from: Wallet, runtime: string): Promise<Hex> {
  // Ten bytes that copy the rest into memory and return it.
  const bytecode: Hex = `0x61${bytes(runtime.length / 2)}80600a5f395ff3${runtime}`;
  const salt = pad('0x01');
  const data = concat([salt, bytecode]);
  const record = await settled(
    client,
    await execute(client, from, { to: deterministicDeployer, data }),
  );
  if (record.state !== 'COMPLETE') throw new Error(`Not deployed: ${JSON.stringify(record)}`);
  return getContractAddress({ opcode: 'CREATE2', from: deterministicDeployer, salt, bytecode });
}

/**
 * Code of a token that keeps no balances. It answers `decimals` and a symbol. Any other call emits
 * a transfer of one base unit to the call's first argument, and returns nothing.
 */
export function foreignToken(decimals: bigint): string {
  const jumpIf = (selector: string, to: string) => `8063${selector}1461${to}57`;
  const dispatch = (toDecimals: string, toSymbol: string) =>
    `5f3560e01c${jumpIf('313ce567', toDecimals)}${jumpIf('95d89b41', toSymbol)}`;
  const topic = toEventSelector('Transfer(address,address,uint256)').slice(2);
  const emit = `60015f52600435337f${topic}60205fa300`;
  const symbol = `5b60205f526001602052${`7f58${'00'.repeat(31)}`}60405260605ff3`;
  const symbolAt = (dispatch('0000', '0000').length + emit.length) / 2;
  const decimalsAt = symbolAt + symbol.length / 2;
  const answer = `5b7f${pad(toHex(decimals)).slice(2)}5f5260205ff3`;
  return dispatch(bytes(decimalsAt), bytes(symbolAt)) + emit + symbol + answer;
}

/** A number as two bytes. */
function bytes(count: number): string {
  return count.toString(16).padStart(4, '0');
}
