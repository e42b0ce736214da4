import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { parseInput } from '../errors/fieldFaults';

/** The whole state of the sandbox at a moment, in a file that another one can begin from. */
export type Snapshot = {
  id: string;
  createdAt: string;
  /** The chain's newest block then. */
  block: number;
  file: string;
};

export type Snapshots = {
  take(): Promise<Snapshot>;
  /** Oldest first. */
  list(): Snapshot[];
  get(id: string): Snapshot;
  remove(id: string): Promise<void>;
  /**
   * Puts everything back: records, chain, keys that were used, settings, faults. Whenever the
   * process is killed, it is all so, or all as before.
   */
  restore(id: string): Promise<Snapshot>;
  close(): void;
};

const snapshotId = z.strictObject({ id: z.guid().toLowerCase() });

/** Snapshots of the whole sandbox, over its control plane. */
export function addSnapshotRoutes(control: FastifyInstance, snapshots: Snapshots): void {
  const path = '/_sandbox/snapshots';
  control.post(path, async (_request, reply) => reply.status(201).send(await snapshots.take()));
  control.get(path, async () => ({ snapshots: snapshots.list() }));
  control.get(`${path}/:id`, async ({ params }) =>
    snapshots.get(parseInput(snapshotId, params).id),
  );
  control.delete(`${path}/:id`, async ({ params }, reply) => {
    await snapshots.remove(parseInput(snapshotId, params).id);
    return reply.status(204).send();
  });
  control.post(`${path}/:id/restore`, async ({ params }) =>
    snapshots.restore(parseInput(snapshotId, params).id),
  );
}
