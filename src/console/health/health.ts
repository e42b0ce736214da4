import type { FastifyInstance } from 'fastify';
import type { PolicyTold } from '../../client/account/told';
import type { Policy } from '../../writer/file/policy';
import type { Guard } from '../guard';
import { facts, frame, moment, table } from '../page/frame';
import { html, type PagePart } from '../page/html';
import { pageType } from '../page/orderNamed';
import { partOf } from '../page/part';
import type { ConsoleParts } from '../parts';
import type { SeenWorker } from '../watch/seenWorkers';
import { examinedShown } from './examined';

const doctor = 'npx --no-install steadfast doctor';

/** Adds the page of all that orders need: Temporal, workers, service, node, archive, policy. */
export function healthPages(
  server: FastifyInstance,
  { watch, policy }: Pick<ConsoleParts, 'watch' | 'policy'>,
  guard: Guard,
): void {
  server.get('/health', async (request, reply) => {
    const viewer = guard.viewerOf(request);
    const [temporal, workers, service, node, writer] = await Promise.all([
      partOf(watch.temporal(), examinedShown),
      partOf(watch.workers(), workersShown),
      partOf(watch.service(), examinedShown),
      watch.node === undefined
        ? html`<p>Not asked: CHAIN_RPC_URL is not set for the console, which is fine.</p>`
        : partOf(watch.node.look(), (found) => examinedShown([found])),
      partOf(watch.writer(), (told) => writerShown(told, policy())),
    ]);
    const text = frame(
      { title: 'Health', viewer, path: '/health' },
      html`<h2>Temporal and its workers</h2>`,
      temporal,
      workers,
      html`<h2>As a worker sees it</h2>`,
      service,
      html`<h2>The node of the console</h2>`,
      node,
      html`<h2>The policy</h2>`,
      ownPolicy(policy()),
      writer,
      html`<p>The keys of the service are checked on the machines that have them:
<code>${doctor}</code>.</p>`,
    );
    return reply.type(pageType).send(text);
  });
}

function workersShown(workers: readonly SeenWorker[]): PagePart {
  if (workers.length === 0) return undefined;
  const rows = workers.map(({ purpose, queue, identity, build, heardAt }) => [
    purpose,
    queue,
    identity,
    build || 'not told',
    heardAt === undefined ? 'not told' : moment(heardAt),
  ]);
  const columns = ['Tasks', 'Queue', 'Worker', 'Build', 'Last heard of'];
  return [
    table('Workers that Temporal has heard of', columns, rows),
    html`<p>Temporal lists a worker for some minutes after it has gone.</p>`,
  ];
}

function ownPolicy({ version, digest }: Policy): PagePart {
  return facts([
    ['version of this console', version],
    ['digest', html`<code>${digest}</code>`],
  ]);
}

/** The policy of the writer that has answered, compared with the one of this console. */
function writerShown(told: PolicyTold, own: Policy): PagePart {
  if (told === null) {
    return html`<p class="bad">The writer has no policy, so it sends what anybody in Temporal asks.
Set STEADFAST_POLICY_FILE for it.</p>`;
  }
  const { version, digest, fault } = told;
  return [
    facts([
      ['version of the writer', version],
      ['digest', html`<code>${digest}</code>`],
    ]),
    fault === undefined
      ? html`<p class="good">No newer policy is in force.</p>`
      : html`<p class="bad">${fault} Until then, this writer sends nothing.</p>`,
    digest === own.digest
      ? html`<p class="good">Console and writer have the same policy.</p>`
      : html`<p class="bad">${differWords(version, own.version)}</p>`,
  ];
}

function differWords(version: number, own: number): string {
  if (version > own) return 'The writer has a newer policy. Give the console the same file.';
  if (version < own) return 'The console has a newer policy. Start the writers with it.';
  return 'The two policies have one version and differ. Give both the same file.';
}
