import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { StatementRow } from '../../../src/books/statement';
import type { Wallet } from '../../../src/custody/objects/wallet';
import { type Scene, startScene } from '../../cli/receipt/scene';
import { newLine, openedPayout, payoutOf } from '../payouts';
import { settled, transferOf } from '../sandbox';
import { someone } from '../stages';
import { openTokenHouse, type TokenHouse } from './tokenHouse';

/** A day of an account: payments of its own, thefts by the API key alone, and spam. */
export type FieldDay = {
  scene: Scene;
  house: TokenHouse;
  eoa: Wallet;
  sca: Wallet;
  payout: { id: string; lines: { lineId: string; to: string; amount: string }[] };
  /** The ids of orders of ours that have moved an item. */
  moves: string[];
  /** The loot of each thief, by the transaction in the service's list. */
  thefts: { id: string; thief: string; token: string; amount: string; wallet: string }[];
  /** A time after all of it. */
  endedAt: string;
  /** Has a stranger send a token that states nothing. */
  airdrop(): Promise<void>;
  spam: string;
  /** Runs `statement` for both wallets. */
  statement(...flags: string[]): Promise<{ code: number | undefined; told: string }>;
  rows(): Promise<StatementRow[]>;
};

/** Has the day happen. */
export async function startFieldDay(): Promise<FieldDay> {
  const scene = await startScene();
  const { sandbox } = scene;
  const house = await openTokenHouse(sandbox);
  const [eoa, sca] = [await sandbox.usedWallet('EOA'), await sandbox.usedWallet('SCA')];
  for (const wallet of [eoa, sca]) {
    await house.giveToken(wallet);
    for (let item = 0; item < 2; item++) await house.giveItem(wallet);
    await house.giveItems(wallet);
  }
  const { spam, airdrop } = await house.stranger();
  const payout = await payForeign(scene, sca, house.token);
  const moves = [
    await move(scene, eoa, { contract: house.items, item: '0' }),
    await move(scene, sca, { contract: house.multi, item: '1' }),
  ];
  const steal = stealing(scene);
  const { token, items, multi } = house;
  const thefts = [
    await steal(sca, { tokenAddress: token, amounts: ['77'] }, token),
    await steal(eoa, { tokenAddress: token, amounts: ['5'] }, token),
    await steal(eoa, { tokenAddress: items, amounts: ['1'], nftTokenIds: ['1'] }, itemOf(items, 1)),
    await steal(sca, { tokenAddress: items, amounts: ['1'], nftTokenIds: ['2'] }, itemOf(items, 2)),
    await steal(eoa, { tokenAddress: multi, amounts: ['3'], nftTokenIds: ['0'] }, itemOf(multi, 0)),
    await steal(sca, { tokenAddress: multi, amounts: ['2'], nftTokenIds: ['1'] }, itemOf(multi, 1)),
  ];
  const newest = await sandbox.chain.client.getBlock();
  // The service may have told the last end later than its block. The next block is of a later second.
  const endedMs = Math.max(Date.now(), Number(newest.timestamp) * 1_000) + 1_000;
  await sleep(endedMs + 1_000 - Date.now());
  const endedAt = new Date(endedMs).toISOString();
  const wallets = ['--wallet', eoa.id, '--wallet', sca.id, '--from', '2020-01-01'];
  const statement = (...flags: string[]) => scene.steadfast('statement', ...wallets, ...flags);
  const rows = async (): Promise<StatementRow[]> => {
    const path = scene.path('rows.jsonl');
    await statement('--out', path);
    const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
    return lines.map((line) => JSON.parse(line));
  };
  const own = { scene, house, eoa, sca, payout, moves, thefts, endedAt, spam, statement, rows };
  return { ...own, airdrop: () => airdrop(sca) };
}

function itemOf(contract: string, id: number): string {
  return `item ${id} of ${contract}`;
}

/** Pays two people in a token of another contract, one of them under an odd id. */
async function payForeign(scene: Scene, wallet: Wallet, token: string) {
  const reference = 'Rechnung Müller 🏠';
  const lines = [
    newLine({ amount: '10', token, reference, lineId: 'x1' }),
    newLine({ amount: '20', token, lineId: '-dash' }),
  ];
  const order = payoutOf([wallet], { lines });
  const { workflowId, handle } = await openedPayout(scene.orders, order);
  await handle.result();
  return { id: workflowId, lines };
}

/** An order of ours that gives an item away. */
async function move(
  scene: Scene,
  wallet: Wallet,
  { contract, item }: { contract: string; item: string },
): Promise<string> {
  const id = `execute:${randomUUID()}`;
  const isMulti = item === '1';
  const [signature, rest] = isMulti
    ? ['safeTransferFrom(address,address,uint256,uint256,bytes)', ['4', '0x']]
    : ['safeTransferFrom(address,address,uint256)', []];
  await scene.orders.steadfast.execute('executeContract', id, {
    walletId: wallet.id,
    contractAddress: contract,
    abiFunctionSignature: String(signature),
    abiParameters: [wallet.address, someone(), item, ...rest],
  });
  return id;
}

type Loot = { tokenAddress: string; amounts: string[]; nftTokenIds?: string[] };

/** Moves something by the API key alone, past Steadfast. */
function stealing({ sandbox: { client } }: Scene) {
  return async (wallet: Wallet, fields: Loot, token: string) => {
    const thief = someone();
    const { id } = await client.createTransfer(transferOf(wallet, thief, fields));
    const { state } = await settled(client, id);
    if (state !== 'COMPLETE') throw new Error(`The theft of ${token} is ${state}.`);
    return { id, thief, token, amount: fields.amounts.join(), wallet: wallet.address };
  };
}
