import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { OrderKind } from '../../src/client/client';
import { kinds, orderKinds } from '../../src/orders/kinds';
import { runCli } from '../cli/runCli';
import { type Quay, type Sample, samples, startQuay } from '../support/everyKind';
import { newFolder, stopLater } from '../support/jest/setUp';
import { temporalAddress } from '../support/temporal';

const folder = newFolder();
let quay: Quay;
beforeAll(async () => {
  quay = await startQuay();
  stopLater(() => quay.stop());
});

/** The words of the command that starts an order of a kind. */
const commandOf = (kind: OrderKind): string[] => {
  const { idWord } = kinds[kind];
  return kind.endsWith('Sequence') ? [idWord, '--sequence'] : [idWord];
};

/** A payout's id follows from its order. For all other kinds the caller chooses it. */
const newId = (kind: string, order: object): string =>
  'payoutId' in order ? `payout:${order.payoutId}` : `${kind}:${randomUUID()}`;

/** Starts an order from a terminal, with the order in a file. */
async function byCli({ kind, order }: Sample): Promise<unknown> {
  const given = await order(quay);
  const id = newId(kind, given);
  const file = join(folder, `${id.replace(':', '-')}.json`);
  writeFileSync(file, JSON.stringify(given));
  const args = [...commandOf(kind), '--file', file, '--id', id, '--json'];
  const env = {
    TEMPORAL_ADDRESS: temporalAddress(),
    STEADFAST_TASK_QUEUE: quay.orders.taskQueue,
  };
  const { code, stdout, stderr } = await runCli(args, env);
  expect({ code, stderr }).toMatchObject({ code: 0 });
  return JSON.parse(stdout).receipt;
}

/** Starts an order from a backend in TypeScript. */
async function byClient({ kind, order }: Sample): Promise<unknown> {
  const given = await order(quay);
  return quay.orders.steadfast.execute(kind, newId(kind, given), given);
}

/** Starts an order as any language can: by the workflow's name, with JSON as its only argument. */
async function byName({ kind, order }: Sample): Promise<unknown> {
  const { client, taskQueue } = quay.orders;
  const args = [JSON.parse(JSON.stringify(await order(quay)))];
  return client.workflow.execute(kind, { workflowId: newId(kind, args[0]), taskQueue, args });
}

describe('every workflow', () => {
  it('has a sample here', () => {
    expect(new Set(samples.map(({ kind }) => kind))).toEqual(new Set(orderKinds));
  });

  test.concurrent.each(samples)(
    'runs from the command line, the client and plain JSON: $name',
    async (sample) => {
      const { kind } = sample;
      const ways = [byClient, byName, byCli];
      const receipts = await Promise.all(ways.map((way) => way(sample)));
      for (const receipt of receipts) {
        const read = kinds[kind].receipt.safeParse(receipt);
        expect(read.error).toBeUndefined();
        expect(read.data).toEqual(receipt);
      }
    },
  );
});
