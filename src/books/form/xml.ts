/** An XML element. Text is escaped, and characters that XML cannot hold are left out. */
export function element(
  name: string,
  content: string | readonly string[],
  attributes: Readonly<Record<string, string>> = {},
): string {
  const given = Object.entries(attributes).map(([key, value]) => ` ${key}="${escaped(value)}"`);
  const inner = typeof content === 'string' ? escaped(content) : content.join('');
  return `<${name}${given.join('')}>${inner}</${name}>`;
}

function escaped(text: string): string {
  return text
    .replace(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

/** The first characters of a text that a field has room for. */
export function cut(text: string, max: number): string {
  return text.length <= max ? text : `${text.slice(0, max - 1)}…`;
}

/** A text in pieces that a field has room for, so that nothing of it is lost. */
export function inPieces(text: string, max: number): string[] {
  const letters = [...text];
  return Array.from({ length: Math.ceil(letters.length / max) }, (_, at) =>
    letters.slice(at * max, (at + 1) * max).join(''),
  );
}
