import { visibleLine } from '../../../src/cli/show/visible';

const yellow = '\u001b[33m';
const plain = '\u001b[39m';

it('a line keeps its own colours on a terminal, and nothing that moves, hides or forges', () => {
  const hostile = '\u001b[2K \u001b[8m \u001b]0;title\u0007 \u202e';
  expect(visibleLine(`${yellow}! held back${plain}: ${hostile}`, true)).toBe(
    `${yellow}! held back${plain}: \\u001b[2K \\u001b[8m \\u001b]0;title\\u0007 \\u202e`,
  );
});

it('a line has no colours where nothing shows them', () => {
  expect(visibleLine(`${yellow}paid${plain}`, false)).toBe('\\u001b[33mpaid\\u001b[39m');
});
