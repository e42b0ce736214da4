import { setTimeout as sleep } from 'node:timers/promises';
import { Client, Connection } from '@temporalio/client';
import { createSteadfast, type Steadfast } from '../../src/client/client';
import type { StackParts } from '../../src/local/startStack';
import type { Progress } from '../../src/orders/progress/status';

/** Controls that keep the sandbox and its orders still for the pictures. */
type Stage = {
  steadfast: Steadfast;
  change(settings: object): Promise<void>;
  fail(rules: object[]): Promise<void>;
  wallets: { walletId: string }[];
};

const recipient = '0x523be5c33df156e5104b878dba71445db985ec7d';
const patienceMs = 60_000;
const lookMs = 250;

/** Brings orders into the states that operators meet, and keeps them there. */
export async function setStage(parts: StackParts): Promise<void> {
  const connection = await Connection.connect({ address: parts.temporal.address });
  try {
    const client = new Client({ connection, namespace: parts.temporal.namespace });
    const steadfast = createSteadfast({ client, taskQueue: parts.taskQueue });
    const control = controlOf(parts.sandbox.baseUrl);
    const wallets = await provision(steadfast);
    const stage: Stage = { steadfast, wallets, ...control };
    await pausedDeployment(stage);
    await transfers(stage);
    await unknownTransfer(stage);
    await steadfast.start('fundWallet', 'fund:treasury', {
      wallet: { walletId: wallets[0]?.walletId ?? '' },
      amount: '5000',
      token: 'USDC',
      source: 'external',
    });
    await shows(stage, 'fund:treasury', ({ status }) => status === 'Waiting');
  } finally {
    await connection.close();
  }
}

function controlOf(baseUrl: string): Pick<Stage, 'change' | 'fail'> {
  const control = async (method: string, path: string, body: object): Promise<void> => {
    const answer = await fetch(new URL(`/_sandbox/${path}`, baseUrl), {
      method,
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  };
  return {
    change: (settings) => control('PATCH', 'settings', settings),
    fail: (rules) => control('POST', 'faults', { seed: 1, rules }),
  };
}

async function provision(steadfast: Steadfast): Promise<Stage['wallets']> {
  const order = { name: 'Tills', count: 4 };
  const { wallets } = await steadfast.execute('provisionWallets', 'provision:tills', order);
  const funding = wallets.map(({ walletId }, index) =>
    steadfast.execute('fundWallet', `fund:till-${index + 1}`, {
      wallet: { walletId },
      amount: '20',
      token: 'USDC',
    }),
  );
  await Promise.all(funding);
  return wallets;
}

/** Starts a deployment whose contract exists and whose supply waits to be minted. */
async function pausedDeployment(stage: Stage): Promise<void> {
  const { steadfast, change } = stage;
  await change({ settleMs: 600_000 });
  await steadfast.start('deploymentSequence', 'deploy:acme', {
    name: 'Acme Dollar',
    template: 'fungible',
    mint: { amount: '1000000' },
    parameters: { name: 'Acme Dollar', symbol: 'ACME' },
  });
  await shows(stage, 'deploy:acme', ({ status }) => status === 'Settling');
  await steadfast.pause('deploy:acme', 'legal has to read the name first');
  await change({ settleMs: 500 });
  await shows(stage, 'deploy:acme', ({ status }) => status === 'Paused');
}

/** Makes two transfers that are done, and three that wait for the chain. */
async function transfers(stage: Stage): Promise<void> {
  await Promise.all(['4709', '4710'].map((invoice, till) => transfer(stage, invoice, till)));
  for (const invoice of ['4709', '4710']) {
    await shows(stage, `transfer:invoice-${invoice}`, ({ status }) => status === 'Done');
  }
  // Slow enough to see all of them while they settle, and then they stay there.
  await stage.change({ settleMs: 60_000 });
  const waiting = ['4711', '4712', '4713'];
  await Promise.all(waiting.map((invoice, till) => transfer(stage, invoice, till)));
  for (const invoice of waiting) {
    const isSent = ({ waitingFor }: Progress) => waitingFor.includes('PENDING');
    await shows(stage, `transfer:invoice-${invoice}`, isSent);
  }
  await stage.change({ settleMs: 3_600_000 });
}

async function transfer({ steadfast, wallets }: Stage, invoice: string, till: number) {
  await steadfast.start('transferStablecoin', `transfer:invoice-${invoice}`, {
    from: { walletId: wallets[till]?.walletId ?? '' },
    to: recipient,
    amount: '2.50',
    token: 'USDC',
    reference: `Invoice ${invoice}`,
  });
}

/** Makes an unknown transfer: no answer to its first attempt, a refusal of its second. */
async function unknownTransfer(stage: Stage): Promise<void> {
  const send = { method: 'POST', path: '/developer/transactions/transfer' };
  const walletId = stage.wallets[3]?.walletId;
  await stage.fail([
    { kind: 'loseRequest', ...send, walletId, count: 1 },
    { kind: 'status', status: 400, ...send, walletId },
  ]);
  await transfer(stage, '4714', 3);
  await shows(stage, 'transfer:invoice-4714', ({ status }) => status === 'Unknown');
}

async function shows(
  { steadfast }: Stage,
  id: string,
  isReached: (progress: Progress) => boolean,
): Promise<void> {
  const deadline = Date.now() + patienceMs;
  for (;;) {
    const { progress } = await steadfast.status(id);
    if (progress !== undefined && isReached(progress)) return;
    if (Date.now() > deadline) throw new Error(`${id} stays at ${JSON.stringify(progress)}.`);
    await sleep(lookMs);
  }
}
