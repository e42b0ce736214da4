import { randomUUID } from 'node:crypto';
import { encodeFunctionData, erc20Abi, getAddress, type Hex } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import type { Wallet } from '../../../src/custody/objects/wallet';
import { refId } from '../../../src/custody/reference';
import { deployTemplate, deployToken } from '../chain/deployments';
import { deployCode, foreignToken } from '../chain/foreignToken';
import { sendOutside } from '../chain/outside';
import { settled, transferOf } from '../sandbox';
import type { StagedSandbox } from '../stages';

/** Contracts whose tokens and items no list of ours has. Addresses are in lower case. */
export type TokenHouse = {
  /** Deploys and mints, under references of ours. */
  owner: Wallet;
  token: string;
  /** ERC-721. */
  items: string;
  /** ERC-1155. */
  multi: string;
  /** Mints 1,000 of the token. */
  giveToken(wallet: Wallet): Promise<void>;
  /** Mints the next item of the ERC-721. */
  giveItem(wallet: Wallet): Promise<void>;
  /** Mints seven of the next item of the ERC-1155. */
  giveItems(wallet: Wallet): Promise<void>;
  /** Readies a stranger who sends one base unit of a token of no decimals, in a block of its own. */
  stranger(): Promise<{ spam: string; airdrop(wallet: Wallet): Promise<void> }>;
};

/** Deploys a token, items, and a contract of many items. */
export async function openTokenHouse(sandbox: StagedSandbox): Promise<TokenHouse> {
  const { client } = sandbox;
  const owner = await sandbox.usedWallet('EOA');
  const addressOf = async (deployed: Promise<{ address: string }>): Promise<string> =>
    (await deployed).address.toLowerCase();
  const token = await addressOf(deployToken(client, owner));
  const items = await addressOf(deployTemplate(client, owner, { family: 'uniqueItem' }));
  const multi = await addressOf(deployTemplate(client, owner, { family: 'multiToken' }));
  const call = (to: string, signature: string, parameters: string[]): Promise<void> =>
    callAs(sandbox, owner, { to, signature, parameters });
  const nextId = (2n ** 256n - 1n).toString();
  const thousand = `${1000n * 10n ** 18n}`;
  return {
    owner,
    token,
    items,
    multi,
    giveToken: ({ address }) => call(token, 'mintTo(address,uint256)', [address, thousand]),
    giveItem: ({ address }) => call(items, 'mintTo(address,string)', [address, 'ipfs://one']),
    giveItems: ({ address }) =>
      call(multi, 'mintTo(address,uint256,string,uint256)', [address, nextId, 'ipfs://two', '7']),
    stranger: () => readyStranger(sandbox, owner),
  };
}

/** Calls a contract as orders of ours do. */
async function callAs(
  { client }: StagedSandbox,
  wallet: Wallet,
  { to, signature, parameters }: { to: string; signature: string; parameters: string[] },
): Promise<void> {
  const parts = { workflowId: `execute:${randomUUID()}`, step: 'execute', item: '1' };
  const { id } = await client.executeContract({
    idempotencyKey: randomUUID(),
    walletId: wallet.id,
    contractAddress: to,
    abiFunctionSignature: signature,
    abiParameters: parameters,
    feeLevel: 'MEDIUM',
    refId: refId({ ...parts, generation: 0 }),
  });
  const { state } = await settled(client, id);
  if (state !== 'COMPLETE') throw new Error(`${signature} is ${state}.`);
}

async function readyStranger(sandbox: StagedSandbox, owner: Wallet) {
  const { client } = sandbox;
  const spam = await deployCode(client, owner, foreignToken(255n));
  const stranger = privateKeyToAccount(generatePrivateKey());
  const coins = { tokenAddress: '', amounts: ['0.1'] };
  const { id } = await client.createTransfer(transferOf(owner, stranger.address, coins));
  await settled(client, id);
  let nonce = 0;
  const airdrop = async ({ address }: Wallet): Promise<void> => {
    const raw: Hex = await stranger.signTransaction({
      chainId: 5_042_002,
      type: 'eip1559',
      nonce,
      to: spam,
      gas: 100_000n,
      maxFeePerGas: 100_000_000_000n,
      maxPriorityFeePerGas: 1n,
      data: encodeFunctionData({
        abi: erc20Abi,
        functionName: 'transfer',
        args: [getAddress(address), 1n],
      }),
    });
    nonce += 1;
    await sendOutside(sandbox, raw);
  };
  return { spam: spam.toLowerCase(), airdrop };
}
