import { z } from 'zod';
import { type Screener, unavailable } from './verdict';

const timeoutMs = 10_000;
const bytesMax = 65_536;
const wordsMax = 300;

const answer = z.object({
  verdict: z.enum(['clear', 'match', 'review']),
  evidence: z.string().default(''),
});

/**
 * Screens by a service of the operator's choice: `POST {"address", "blockchain"}`, which answers
 * `{"verdict": "clear" | "match" | "review", "evidence"}`. Anything else is no answer.
 */
export function askUrl(url: string, blockchain: string): Screener {
  const { host } = new URL(url);
  return async (address) => {
    try {
      const response = await fetch(url, {
        method: 'POST',
        redirect: 'error',
        signal: AbortSignal.timeout(timeoutMs),
        headers: { 'content-type': 'application/json', accept: 'application/json' },
        body: JSON.stringify({ address, blockchain }),
      });
      if (response.status !== 200) return unavailable(`${host} answered with ${response.status}`);
      const { verdict: kind, evidence } = answer.parse(JSON.parse(await bounded(response)));
      return { kind, words: `${host} says ${kind}${evidence && `: ${oneLine(evidence)}`}` };
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      return unavailable(`${host} gave no answer that can be used: ${oneLine(reason)}`);
    }
  };
}

async function bounded({ body }: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of body ?? []) {
    bytes += part.byteLength;
    if (bytes > bytesMax) throw new Error(`it is longer than ${bytesMax} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').slice(0, wordsMax);
}
