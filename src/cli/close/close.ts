import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import { decodeOptionalSinglePayload } from '@temporalio/common/lib/internal-non-workflow';
import { z } from 'zod';
import { openNode } from '../../books/chain/node';
import { spanWhenOver } from '../../books/chain/period';
import { type Ended, readEnd } from '../../client/find/closes';
import { hasSearchAttributes } from '../../client/temporal/searchAttributes';
import { startClose } from '../../client/temporal/startClose';
import { withoutMemos } from '../../client/temporal/withoutMemos';
import {
  type CloseDay,
  closeKind,
  closeWord,
  dayInCloseId,
  periodOfDay,
  readCloseDay,
} from '../../orders/schedule/dailyClose';
import { firstPairs } from '../../orders/starting';
import type { Call } from '../call';
import type { Connected } from '../connect';
import { type ExitCode, exitCodes, InputError } from '../exit';
import { awaitingIn, listOf } from '../flags';
import { presentFields } from '../order/fields';
import { valuingIn } from '../rates/ratesFlags';
import { progressLine } from '../show/progressLine';
import { exitCodeOf, tellClose, type ValuedEnd, withValues } from './tellClose';

/** Closes a day, or finds the close that was started before, and waits for its result. */
export async function close(text: string, call: Call): Promise<ExitCode> {
  const { flags, voice } = call;
  const day = readCloseDay(
    presentFields({ day: text, timeZone: flags.timeZone, wallets: listOf(flags.wallet) }),
  );
  const valuing = valuingIn(flags);
  const { isAwaited, timeoutMs } = awaitingIn(flags);
  const closing = await closingBlock(day, call);
  const connected = await call.connect();
  const { client, config } = connected;
  const asked = { ...day, closing };
  const scope = config.keyScope === '' ? '' : `${config.keyScope}:`;
  const { workflowId } = await startClose(client, {
    asked,
    taskQueue: config.taskQueue,
    begin: `${scope}${closeWord}:${day.day}`,
    attributes: await attributesOf(connected),
    ...(flags.again === true ? { workflowIdReusePolicy: 'ALLOW_DUPLICATE' } : {}),
  });
  const way = `See its result with: npx --no-install steadfast close show ${day.day}`;
  if (!isAwaited) {
    voice.answer({ workflowId }, [`Started ${workflowId}. ${way}`]);
    return exitCodes.done;
  }
  const end = await waitFor(workflowId, client, { call, timeoutMs });
  if (end === undefined) {
    voice.document({ workflowId, end: 'stoppedWaiting' });
    voice.note(`${workflowId} goes on. ${way}`);
    return exitCodes.stoppedWaiting;
  }
  const valued = withValues(end, valuing);
  voice.answer(valued, tellClose(valued));
  return exitCodeOf(end);
}

/** Prints what Temporal knows of the closes of a day, the newest one first. */
export async function showClose(text: string, call: Call): Promise<ExitCode> {
  const { day } = readCloseDay({ day: text });
  const valuing = valuingIn(call.flags);
  const { client, config } = await call.connect();
  const ends: ValuedEnd[] = [];
  const seen = new Map<string, ValuedEnd['execution']>();
  for await (const { workflowId, runId, status } of withoutMemos(client).workflow.list({
    query: `WorkflowType = '${closeKind}'`,
  })) {
    // The newest run of a close counts, and the last one that had a result.
    const before = seen.get(workflowId);
    const isMore = before === undefined || (before !== 'COMPLETED' && status.name === 'COMPLETED');
    if (dayInCloseId(workflowId, config.keyScope) !== day || !isMore) continue;
    seen.set(workflowId, status.name);
    ends.push(withValues(await readEnd(client, workflowId, runId), valuing));
  }
  if (ends.length === 0) {
    throw new InputError(
      `day: Temporal knows no close of ${day}. Start it with: npx --no-install steadfast close ${day}`,
    );
  }
  call.voice.answer({ day, closes: ends }, ends.flatMap(tellClose));
  const [worst = exitCodes.done] = ends.map(exitCodeOf).sort((one, other) => other - one);
  return worst;
}

/** The last block of a day, from the chain. Throws a StatementError for a day that is not over. */
async function closingBlock(day: CloseDay, { flags, terminal }: Call): Promise<number> {
  const url = flags.rpc === undefined ? terminal.env.CHAIN_RPC_URL : String(flags.rpc);
  if (!url || !URL.canParse(url)) {
    throw new InputError(
      'CHAIN_RPC_URL: is not set. A day ends with a block of the chain: set it, or give --rpc.',
    );
  }
  return (await spanWhenOver(openNode(url), periodOfDay(day))).closing;
}

async function attributesOf({ client }: Connected): Promise<object> {
  const has = await hasSearchAttributes(client.connection, client.options.namespace);
  return has ? { typedSearchAttributes: firstPairs(closeKind) } : {};
}

const lookEveryMs = 500;
const progressShape = z.object({ what: z.string(), percent: z.number() });

/** Waits for the end of a close, and shows its progress. Undefined if somebody stops that. */
async function waitFor(
  id: string,
  client: Client,
  { call, timeoutMs }: { call: Call; timeoutMs: number | undefined },
): Promise<Ended | undefined> {
  const { voice } = call;
  const stop = call.interruption();
  if (timeoutMs !== undefined) stop.after(timeoutMs);
  const stopped = stop.stopped.then(() => true);
  const line = progressLine(voice);
  try {
    for (;;) {
      const run = await client.workflow.getHandle(id).describe();
      if (run.status.name !== 'RUNNING') return await readEnd(client, id);
      const [pending] = run.raw.pendingActivities ?? [];
      const [told] = pending?.heartbeatDetails?.payloads ?? [];
      const codec = client.options.loadedDataConverter;
      const progress = progressShape.safeParse(
        told && (await decodeOptionalSinglePayload(codec, told)),
      );
      if (progress.success) line.measure(`${progress.data.what}: ${progress.data.percent} %`);
      if (await Promise.race([stopped, sleep(lookEveryMs, false)])) return undefined;
    }
  } finally {
    line.clear();
  }
}
