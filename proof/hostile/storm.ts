import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Stage } from './stage';

/** The answers to what was posted, by kind and status. 0: no answer. */
export type Tally = Map<string, number>;

const kinds = ['forged', 'strangeKey', 'giant', 'notJson', 'replayed', 'slow'] as const;
type Kind = (typeof kinds)[number];

/** Senders of each kind at a time. */
const senders: Record<Kind, number> = {
  forged: 12,
  strangeKey: 12,
  giant: 2,
  notJson: 2,
  replayed: 2,
  slow: 40,
};

const giant = 'x'.repeat(200_000);
const orders = 1_000;

/** Attacks the receiver in every way at once until the signal, and counts the answers. */
export async function storm(stage: Stage, tally: Tally, signal: AbortSignal): Promise<void> {
  const replayed = stage.notice(0);
  const attacks: Record<Kind, (round: number) => Promise<number>> = {
    forged: (round) => stage.send(stage.forged(round % orders)),
    strangeKey: (round) => stage.send(stage.strangeKey(round % orders)),
    giant: (round) => stage.send({ ...stage.forged(round % orders), body: giant }),
    notJson: () => stage.send({ body: '{}', headers: { 'content-encoding': 'gzip' } }),
    replayed: () => stage.send(replayed),
    slow: () => crawl(stage.port),
  };
  const run = async (kind: Kind): Promise<void> => {
    for (let round = 0; !signal.aborted; round++) {
      note(tally, kind, await attacks[kind](round));
    }
  };
  await Promise.all(
    kinds.flatMap((kind) => Array.from({ length: senders[kind] }, () => run(kind))),
  );
}

/** Counts an answer. */
export function note(tally: Tally, kind: string, status: number): void {
  const name = `${kind} ${status}`;
  tally.set(name, (tally.get(name) ?? 0) + 1);
}

/** Sends a byte of a request now and then, until the receiver ends the connection. */
async function crawl(port: number): Promise<number> {
  const socket = connect(port, '127.0.0.1').on('error', () => {});
  socket.resume();
  socket.write('POST / HTTP/1.1\r\nhost: a\r\nx-long: ');
  while (!socket.destroyed && !socket.readableEnded) {
    await sleep(200);
    if (socket.writable) socket.write('a');
  }
  socket.destroy();
  return 0;
}
