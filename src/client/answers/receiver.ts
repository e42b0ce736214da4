import { Agent, request } from 'undici';
import { lookupFor } from './address';
import type { ReceiverSettings } from './config';
import type { Message } from './end';
import { signedHeaders } from './sign';

const connectMs = 5_000;
/** The Standard Webhooks specification advises 15 to 30 s. An activity beats within 30 s. */
const answerUsualMs = 15_000;
/** Enough of an answer to use the connection again. The rest is never read. */
const bodyBytesMax = 16_384;
const bodyMs = 1_000;
const idleMs = 1_000;

/** The outcome of one message. Nothing else of the receiver's answer is believed or kept. */
type Heard =
  | { heard: true }
  /** `isReached`: it has answered this message, so that the next one is worth a try. */
  | { heard: false; isReached: boolean; reason: string };

/** The receiver of the ends of orders. */
export type Receiver = {
  settings: ReceiverSettings;
  /** Sends a message once. Never throws. */
  send(message: Message, signal?: AbortSignal): Promise<Heard>;
  close(): Promise<void>;
};

/** The receiver that the settings of a worker name. */
export function receiverFor(
  settings: ReceiverSettings,
  { answerMs = answerUsualMs } = {},
): Receiver {
  const { url, keys, isPrivate } = settings;
  const { host } = url;
  const dispatcher = new Agent({
    connect: { timeout: connectMs, lookup: lookupFor(url, isPrivate) },
    keepAliveTimeout: idleMs,
    keepAliveMaxTimeout: idleMs,
  });
  return {
    settings,
    send: async (message, signal) => {
      const deadline = AbortSignal.timeout(answerMs);
      try {
        // A redirect is an answer like any other that is not 2xx: nothing follows it.
        const { statusCode, body } = await request(url, {
          method: 'POST',
          dispatcher,
          signal: signal === undefined ? deadline : AbortSignal.any([signal, deadline]),
          headers: {
            'content-type': 'application/json',
            'user-agent': 'steadfast',
            ...signedHeaders(message, keys, Date.now()),
          },
          body: message.body,
        });
        const limits = { limit: bodyBytesMax, signal: AbortSignal.timeout(bodyMs) };
        await body.dump(limits).catch(() => {});
        if (statusCode >= 200 && statusCode < 300) return { heard: true };
        return { heard: false, isReached: true, reason: `${host} answered ${statusCode}` };
      } catch (error) {
        const reason = deadline.aborted ? `none within ${answerMs / 1_000} s` : wordsOf(error);
        return { heard: false, isReached: false, reason: `${host} gave no answer: ${reason}` };
      }
    },
    close: () => dispatcher.destroy(),
  };
}

function wordsOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return wordsOf(error.errors[0]);
  const words = error instanceof Error ? error.message : String(error);
  return words.replace(/\s+/g, ' ').replace(/\.$/, '').slice(0, 300);
}
