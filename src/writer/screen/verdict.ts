/** The answer about one address. `unavailable` is no answer: nothing is sent meanwhile. */
export type Verdict = {
  kind: 'clear' | 'match' | 'review' | 'unavailable';
  /** The evidence, or the reason why there is no answer. One line. */
  words: string;
};

/** Asks one source about an address, in lower case. Never throws. */
export type Screener = (address: string) => Promise<Verdict>;

export function unavailable(words: string): Verdict {
  return { kind: 'unavailable', words };
}
