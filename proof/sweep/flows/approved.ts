import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sshSigner } from '../../../src/authority/sign';
import { createSteadfast, type Steadfast } from '../../../src/client/client';
import { untilSettling } from '../judge/observe';
import type { Lane } from '../lane';
import type { Order, Play } from './flow';
import { transferFrom } from './transfers';
import { blockchain, fundedWallet } from './wallets';

const lookMs = 100;

/** Policies are numbered, since a ledger keeps to the newest one. */
let version = 0;

/** A transfer that its backend has signed, and that two people approve, each of them twice. */
export async function prepareApproved(lane: Lane, order: Order): Promise<Play> {
  const wallet = await fundedWallet(lane, 'EOA');
  const { appId: entity } = await lane.custody.getEntityConfig({});
  await lane.limit(policyFor(wallet.id));
  const play = transferFrom(wallet, lane, order);
  const signing = { sign: signerOf('backend'), entity, blockchain };
  const steadfast = createSteadfast({ client: lane.caller, taskQueue: 'steadfast', signing });
  return {
    ...play,
    start: () => steadfast.start('transferStablecoin', order.name, play.body),
    act: () => approveAll(lane, steadfast, order),
    mend: () => decide(steadfast, order),
  };
}

/** People who approve whatever they are asked for, until the transfer is on its way. */
async function approveAll(lane: Lane, steadfast: Steadfast, { name }: Order): Promise<void> {
  let isOver = false;
  const settling = untilSettling(lane, name).finally(() => {
    isOver = true;
  });
  while (!isOver) {
    const status = await steadfast.status(name).catch(() => undefined);
    const [asks] = status?.progress?.approvals ?? [];
    const person = asks?.people.find((one) => !asks.given.includes(one));
    if (asks !== undefined && person !== undefined) {
      const signed = await signerOf(person)(asks.statement, 'approval');
      for (const _ of ['once', 'twice']) await steadfast.approve(name, signed).catch(() => {});
    }
    await sleep(lookMs);
  }
  await settling;
}

/** Says that an attempt had no effect which a killed worker was making. The order verifies it. */
async function decide(steadfast: Steadfast, { name }: Order): Promise<void> {
  const { status, target } = (await steadfast.status(name)).progress ?? {};
  if (status !== 'Unknown' || target === undefined) return;
  const finding = { target, finding: 'noEffect', evidence: 'its worker was killed' } as const;
  await steadfast.resolve(name, finding);
}

function policyFor(wallet: string): object {
  version += 1;
  const people = ['backend', 'ann', 'bo'].map((name) => [name, { keys: [publicKeyOf(name)] }]);
  const limit = { id: 'out', kind: 'limit', orders: ['transferStablecoin'], wallets: [wallet] };
  const money = { tokens: ['USDC'], to: 'anyone', perTransfer: '100', signedBy: 'backends' };
  const two = { id: 'two', kind: 'approval', above: '0.5', need: 2, of: 'treasurers', within: 1 };
  return {
    version,
    people: Object.fromEntries(people),
    groups: { backends: ['backend'], treasurers: ['ann', 'bo'] },
    rules: [{ ...limit, ...money }, two],
  };
}

let keys: string | undefined;

/** The file of a person's key. All keys end with this process. */
function keyOf(name: string): string {
  if (keys === undefined) {
    const folder = mkdtempSync(join(tmpdir(), 'steadfast-sweep-keys-'));
    process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
    keys = folder;
  }
  const path = join(keys, name);
  if (!existsSync(path)) {
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', name, '-f', path]);
  }
  return path;
}

function publicKeyOf(name: string): string {
  return readFileSync(`${keyOf(name)}.pub`, 'utf8').trim();
}

function signerOf(name: string) {
  return sshSigner(keyOf(name));
}
