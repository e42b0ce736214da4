import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'libsql';
import { encodeFunctionData, erc20Abi, getAddress, type Hex, hexToBytes, toHex } from 'viem';
import { HDKey, privateKeyToAccount } from 'viem/accounts';
import type { Wallet } from '../../../src/custody/objects/wallet';
import { sendOutside } from '../chain/outside';
import { type TestSandbox, usdc } from '../sandbox';
import { someone } from '../stages';

/** Moves USDC with the wallet's own key, past the service. Returns the hash. */
export async function steal(
  { sandbox, dataDir }: { sandbox: TestSandbox; dataDir: string },
  wallet: Wallet,
  amount: string,
): Promise<Hex> {
  const database = new Database(join(dataDir, 'sandbox.db'));
  const docOf = (table: string, id: string) =>
    JSON.parse(
      String(database.prepare(`SELECT doc FROM ${table} WHERE id = ?`).pluck().all(id)[0]),
    );
  const place = docOf('wallets', wallet.id).index;
  const set = docOf('walletSets', wallet.walletSetId).index;
  database.close();
  const { seed } = JSON.parse(readFileSync(join(dataDir, 'secrets.json'), 'utf8'));
  const root = HDKey.fromMasterSeed(hexToBytes(`0x${seed}`));
  const { privateKey } = root.derive(`m/44'/60'/${set}'/0/${place}`);
  if (privateKey === null) throw new Error('There is no key.');
  const account = privateKeyToAccount(toHex(privateKey));
  const { client } = sandbox.chain;
  const nonce = await client.getTransactionCount({ address: account.address });
  const args = [getAddress(someone()), BigInt(Number(amount) * 1e6)] as const;
  const raw = await account.signTransaction({
    chainId: 5_042_002,
    type: 'eip1559',
    nonce,
    to: usdc,
    gas: 100_000n,
    maxFeePerGas: 100_000_000_000n,
    maxPriorityFeePerGas: 1n,
    data: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args }),
  });
  return sendOutside(sandbox, raw);
}
