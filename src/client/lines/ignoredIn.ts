/** The ignored columns. Words that are one name of a column together stand for that one alone. */
export function ignoredIn(all: readonly string[], words: readonly string[]): Set<string> {
  const [known, ignored] = [new Set(all.map((column) => column.trim())), new Set<string>()];
  const most = Math.max(1, ...all.map((column) => column.split(',').length));
  for (let at = 0, end = 0; at < words.length; at = end) {
    const nameTo = (to: number): string => words.slice(at, to).join(',').trim();
    end = Math.min(words.length, at + most);
    while (end > at + 1 && !known.has(nameTo(end))) end -= 1;
    if (nameTo(end) !== '') ignored.add(nameTo(end));
  }
  return ignored;
}
