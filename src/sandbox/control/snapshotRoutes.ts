import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { parseInput } from '../http/fieldFaults';
import type { Snapshots } from '../snapshots';

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
