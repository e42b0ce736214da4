/**
 * Remembers answers by their keys for a time, so that many who ask cost one question. A question
 * that fails is asked again.
 */
export function remembering<T>(ms: number): (key: string, ask: () => Promise<T>) => Promise<T> {
  const answers = new Map<string, Promise<T>>();
  return (key, ask) => {
    const known = answers.get(key);
    if (known !== undefined) return known;
    const answer = ask();
    answers.set(key, answer);
    const forget = (): boolean => answers.delete(key);
    answer.then(() => setTimeout(forget, ms).unref(), forget);
    return answer;
  };
}
