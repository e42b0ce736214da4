import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { getAddress } from 'viem';
import { stablecoinAddresses } from '../../sandbox/chain/genesis/contracts';
import type { Steadfast } from '../../src/client/client';
import type { CustodyApi } from '../../src/custody/endpoints';
import { finalState } from '../../src/custody/objects/state';
import { addressNamed, amountOf, type Cast, type SoakWallet } from './order';

const blockchain = 'ARC-TESTNET';
const outsiderCount = 5;
const pollMs = 50;

/** Drips of the faucet for each wallet. They are enough for hours. */
const dripsEach = 4;

/** Wallets to be swept, for each wallet of a type. */
const piggiesEach = 4;

/** Creates and funds the wallets, and deploys a token that can be minted. No fault happens yet. */
export async function gather(
  { custody, steadfast }: { custody: CustodyApi; steadfast: Steadfast },
  { walletsEach }: { walletsEach: number },
): Promise<Cast> {
  const { walletSet } = await custody.createWalletSet({
    idempotencyKey: randomUUID(),
    name: 'soak',
  });
  const create = async (accountType: 'EOA' | 'SCA', count: number): Promise<SoakWallet[]> => {
    const { wallets } = await custody.createWallets({
      idempotencyKey: randomUUID(),
      walletSetId: walletSet.id,
      blockchains: [blockchain],
      count,
      accountType,
    });
    return wallets.map(({ id, address }) => ({ id, address: getAddress(address), accountType }));
  };
  const eoas = await create('EOA', walletsEach);
  const [minter, ...scas] = await create('SCA', walletsEach + 1);
  if (minter === undefined) throw new Error('The sandbox created no wallet.');
  const wallets = [...eoas, ...scas];
  await Promise.all(wallets.map(({ address }) => fund(custody, address)));
  const { contractAddress } = await steadfast.execute('deployContract', 'deploy:soak', {
    walletId: minter.id,
    name: 'Soak',
    parameters: { name: 'Soak', symbol: 'SOAK' },
  });
  const [treasury, ...empty] = await create('SCA', walletsEach * piggiesEach + 1);
  if (treasury === undefined) throw new Error('The sandbox created no wallet.');
  await fund(custody, treasury.address);
  const piggies = empty.map((wallet, at) => ({ ...wallet, micros: BigInt(at + 1) }));
  for (const { address, micros } of piggies) {
    await give(custody, treasury, { to: address, amount: amountOf({ micros }) });
  }
  return {
    piggies,
    wallets,
    outsiders: Array.from({ length: outsiderCount }, (_, one) => addressNamed(`outsider ${one}`)),
    minter,
    contract: getAddress(contractAddress),
  };
}

async function fund(custody: CustodyApi, address: string): Promise<void> {
  for (let drip = 0; drip < dripsEach; drip += 1) {
    await custody.requestDrip({ address, blockchain, usdc: true, eurc: true });
  }
}

/** Sends USDC without Steadfast, and waits until it has settled. */
async function give(
  custody: CustodyApi,
  { address }: SoakWallet,
  { to, amount }: { to: string; amount: string },
): Promise<void> {
  const { id } = await custody.createTransfer({
    idempotencyKey: randomUUID(),
    walletAddress: address,
    blockchain,
    tokenAddress: stablecoinAddresses.usdc,
    destinationAddress: to,
    amounts: [amount],
    feeLevel: 'MEDIUM',
  });
  for (;;) {
    const { transaction } = await custody.getTransaction({ id });
    if (finalState(transaction.state) !== undefined) return;
    await sleep(pollMs);
  }
}
