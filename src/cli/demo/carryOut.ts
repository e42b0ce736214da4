import type { Order, OrderKind, Receipt, Steadfast } from '../../client/client';
import type { OrderStatus } from '../../client/orderStatus';
import { pc } from '../show/colors';
import { progressLine } from '../show/progressLine';
import { tellProgress } from '../show/tellStatus';
import type { Voice } from '../show/voice';

const lookEveryMs = 400;
/** A sequence takes about ten seconds. A busy machine gets twelve times as long. */
const patienceMs = 120_000;

export type CarriedOut<Kind extends OrderKind> = {
  receipt: Receipt<Kind>;
  status: OrderStatus;
};

/** Starts an order and tells each of its steps as it happens, until the receipt is there. */
export async function carryOut<Kind extends OrderKind>(
  stage: { steadfast: Steadfast; voice: Voice },
  order: { kind: Kind; id: string; order: Order<Kind> },
): Promise<CarriedOut<Kind>> {
  const { steadfast, voice } = stage;
  const { kind, id } = order;
  const line = progressLine(voice);
  const watch = { isOver: false, told: 0 };
  const tell = (status: OrderStatus): void => {
    const done = (status.progress?.timeline ?? []).filter(({ kind }) => kind === 'done');
    for (const { words } of done.slice(watch.told)) line.keep(`  ${pc.green('✓')} ${words}`);
    watch.told = Math.max(watch.told, done.length);
    if (voice.isLive && status.progress !== undefined) line.show(tellProgress(status));
  };
  try {
    const started = await steadfast.start(kind, id, order.order);
    const receipt = await Promise.race([
      started.receipt(),
      lookAtIt({ steadfast, id, watch, tell }),
    ]);
    watch.isOver = true;
    const status = await steadfast.status(id);
    tell(status);
    return { receipt, status };
  } finally {
    watch.isOver = true;
    line.clear();
  }
}

/** Rejects with what the order waits for when it takes too long. It never resolves. */
async function lookAtIt(looking: {
  steadfast: Steadfast;
  id: string;
  watch: { isOver: boolean };
  tell: (status: OrderStatus) => void;
}): Promise<never> {
  const { steadfast, id, watch, tell } = looking;
  const startedAt = Date.now();
  while (!watch.isOver) {
    const status = await steadfast.status(id).catch(() => undefined);
    if (watch.isOver) break;
    if (status !== undefined) tell(status);
    if (Date.now() - startedAt > patienceMs) {
      const why = status === undefined ? 'Temporal does not answer' : tellProgress(status);
      throw new Error(`${id} is not done after ${patienceMs / 1_000} seconds. ${why}.`);
    }
    await new Promise((resolve) => setTimeout(resolve, lookEveryMs));
  }
  return new Promise(() => {});
}
