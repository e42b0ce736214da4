import type { Voice } from '../../src/cli/show/voice';

/** A voice that keeps what it is told. */
export function recordedVoice(isJson = false) {
  const said: string[] = [];
  const noted: string[] = [];
  const documents: object[] = [];
  const voice: Voice = {
    isJson,
    isLive: false,
    say: (line) => void said.push(line),
    note: (line) => void noted.push(line),
    document: (value) => void documents.push(value),
    answer: (value, lines) => void (isJson ? documents.push(value) : said.push(...lines)),
  };
  return { voice, said, noted, documents };
}
