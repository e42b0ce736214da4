import { Client, Connection } from '@temporalio/client';
import type { Fact } from '../../client/asking/facts';
import { createSteadfast, type Steadfast } from '../../client/client';
import type { OrderStatus } from '../../client/orderStatus';
import type { StackParts } from '../../local/startStack';
import { counted } from '../../orders/progress/doing';
import { readSandboxInfo } from '../dev/sandboxInfo';
import { pc } from '../show/colors';
import type { Voice } from '../show/voice';
import { tellFacts, workflowFacts } from './facts';
import { playOrder } from './playOrder';
import { type ChainReader, createChainReader } from './readChain';
import { deploymentFacts } from './tellDeployment';
import { transferFacts } from './tellTransfer';

type Stage = { steadfast: Steadfast; voice: Voice; chain: ChainReader; parts: StackParts };

const symbol = 'ACME';

/** Runs both sequences for real on a stack that is up, and tells what happened. */
export async function demonstrate(parts: StackParts, voice: Voice): Promise<void> {
  const { temporal, sandbox, taskQueue } = parts;
  const { rpcUrl, chainId, blockchain } = await readSandboxInfo(sandbox.baseUrl);
  const addresses = [
    ['Temporal', temporal.address],
    ['Temporal UI', temporal.uiUrl ?? 'not started'],
    ['wallet sandbox', sandbox.baseUrl],
    ['its chain', `${rpcUrl} (${blockchain}, id ${chainId})`],
  ] as const;
  for (const line of tellFacts(addresses)) voice.say(line);
  const connection = await Connection.connect({ address: temporal.address });
  try {
    const client = new Client({ connection, namespace: temporal.namespace });
    const steadfast = createSteadfast({ client, taskQueue });
    const stage = { steadfast, voice, chain: createChainReader(rpcUrl), parts };
    await deploy(stage);
    await transfer(stage);
  } finally {
    await connection.close();
  }
}

async function deploy(stage: Stage): Promise<void> {
  stage.voice.say('');
  stage.voice.say(pc.bold('1. From nothing to a contract'));
  const { receipt, status } = await playOrder(stage, {
    kind: 'deploymentSequence',
    id: 'deploy:demo',
    order: {
      name: 'Acme Dollar',
      parameters: { name: 'Acme Dollar', symbol },
      mint: { amount: '1000000' },
    },
  });
  const polls = `${counted(receipt.polls, 'poll')} until the deployment had settled`;
  tell(stage, await deploymentFacts(receipt, symbol, stage.chain), { status, polls });
}

async function transfer(stage: Stage): Promise<void> {
  stage.voice.say('');
  stage.voice.say(pc.bold('2. From nothing to a settled transfer'));
  const { receipt, status } = await playOrder(stage, {
    kind: 'transferSequence',
    id: 'transfer:demo',
    order: { name: 'Acme tills', amount: '12.50', token: 'USDC' },
  });
  const polls = `${counted(receipt.polls, 'poll')} until the transfer had settled`;
  tell(stage, await transferFacts(receipt, stage.chain), { status, polls });
}

function tell(
  { voice, parts }: Stage,
  facts: readonly Fact[],
  { status, polls }: { status: OrderStatus; polls: string },
): void {
  const { uiUrl, namespace } = parts.temporal;
  const own = workflowFacts(status, { polls, uiUrl, namespace });
  for (const line of tellFacts([...facts, ...own])) voice.say(line);
}
