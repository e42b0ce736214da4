import { checkEnglish, englishLimits, prose, sentences } from './english';
import { readTexts } from './files';
import { median } from './sizes';
import { read, repositoryPaths, type Source, show } from './source';

const texts = readTexts(repositoryPaths());

function rules(path: string, text: string): string[] {
  const source: Source = { path, text };
  return checkEnglish(source).map(({ line, rule }) => `${line}: ${rule}`);
}

describe('the sentences', () => {
  test('are plain English', () => {
    expect(show(texts.flatMap(checkEnglish))).toBe('');
  });

  test('of the README are short, and so is the README', () => {
    const { text } = read('README.md');
    const words = prose(text).flatMap((one) => sentences(one.text).map(({ length }) => length));
    expect(words.length).toBeGreaterThan(10);
    expect(median(words)).toBeLessThanOrEqual(englishLimits.readmeMedianWords);
    expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(englishLimits.readmeLines);
  });
});

describe('the check of sentences', () => {
  const long = Array.from({ length: 26 }, () => 'word').join(' ');

  test.each([
    ['// What comes of it.', '1: A comment names the thing first, not "What …".'],
    ['/** Who asked for it. */', '1: A comment names the thing first, not "Who …".'],
    [
      '// The lines of a payout. Those of a batch wait.',
      '1: A sentence names its thing: not "Those of',
    ],
    ['/** Sends it. Of many, the first. */', '1: A sentence of a comment names its thing first'],
    ['/** The one that pays it. */', '1: A sentence names its thing: not "The one that …".'],
    ['// Due at once: whoever waits, waits.', '1: A sentence names its thing: not "whoever …".'],
    ["throw new Error('It waits. One that is paid is not.');", '1: A sentence names its thing'],
    ['a();\n// Attempts it anew.', '2: "anew": say again, or retry.'],
    ['/** Sends it; waits. */', '1: No semicolon: end the sentence.'],
    [`// ${long}.`, '1: A sentence has at most 25 words: "word word word word word word …".'],
    ["throw new Error('It was held against the order.');", '1: "held against": say compared'],
    ["const words = '--id: was used before; give another.';", '1: No semicolon: end the sentence.'],
    [`throw new Error('amount: is too ' + \`\${a}; \` + 'give less of it.');`, '1: No semicolon'],
    [`const words = 'The ${long.slice(0, 64)} ' + \n'${long.slice(0, 64)}';`, '1: A sentence has'],
    ["test('has come to nothing in the end', f);", '1: "come to nothing": say had no effect'],
    // Comments on lines one below the other are one comment.
    ['// Reads the order,\n// such that it is known.', '1: "such that": say so that'],
  ])('names %s', (text, rule) => {
    expect(rules('src/a.ts', text).join('\n')).toContain(rule);
  });

  test('names a phrase in the prose of a page, but not in its code', () => {
    const page = 'It is taken.\n\n```sh\ntaken\n```\n\nUse `taken`.\n';
    expect(rules('docs/a.md', page)).toEqual([
      '1: "taken": say accepted, received, restored or parsed.',
    ]);
  });

  test('lets plain sentences pass', () => {
    const text = "// Returns the receipt. It is final.\nthrow new Error('The amount is 0.');\n";
    expect(rules('src/a.ts', text)).toEqual([]);
  });
});
