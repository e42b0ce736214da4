import { randomUUID } from 'node:crypto';
import { getAddress } from 'viem';
import type { Steadfast } from '../../src/client/client';
import type { CustodyApi } from '../../src/custody/endpoints';
import { give } from '../kill/give';
import { addressNamed, amountOf, type Cast, type SoakWallet } from './order';

const blockchain = 'ARC-TESTNET';
const outsiderCount = 5;

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
    await give(custody, treasury.address, { to: address, amount: amountOf({ micros }) });
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
