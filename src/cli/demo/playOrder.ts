import { setTimeout as sleep } from 'node:timers/promises';
import type { Order, OrderKind, Receipt, Steadfast } from '../../client/client';
import type { OrderStatus } from '../../client/orderStatus';
import { pc } from '../show/colors';
import { progressLine } from '../show/progressLine';
import { tellProgress } from '../show/tellStatus';
import type { Voice } from '../show/voice';

const lookEveryMs = 400;
/** A sequence takes about ten seconds. A busy machine gets twelve times as long. */
const patienceMs = 120_000;

type CarriedOut<Kind extends OrderKind> = {
  receipt: Receipt<Kind>;
  status: OrderStatus;
};

/** Starts an order and tells each of its steps as it happens, until the receipt is there. */
export async function playOrder<Kind extends OrderKind>(
  stage: { steadfast: Steadfast; voice: Voice },
  order: { kind: Kind; id: string; order: Order<Kind> },
): Promise<CarriedOut<Kind>> {
  const { steadfast, voice } = stage;
  const { kind, id } = order;
  const line = progressLine(voice);
  const startedAt = Date.now();
  let told = 0;
  try {
    const started = await steadfast.start(kind, id, order.order);
    for (;;) {
      const status = await steadfast.status(id).catch(() => undefined);
      const done = (status?.progress?.timeline ?? []).filter(({ kind }) => kind === 'done');
      for (const { words } of done.slice(told)) line.keep(`  ${pc.green('✓')} ${words}`);
      told = Math.max(told, done.length);
      if (status !== undefined && status.execution !== 'RUNNING') {
        return { receipt: await started.receipt(), status };
      }
      if (voice.isLive && status?.progress !== undefined) line.show(tellProgress(status));
      if (Date.now() - startedAt > patienceMs) {
        const why = status === undefined ? 'Temporal does not answer' : tellProgress(status);
        throw new Error(`${id} is not done after ${patienceMs / 1_000} seconds. ${why}.`);
      }
      await sleep(lookEveryMs);
    }
  } finally {
    line.clear();
  }
}
