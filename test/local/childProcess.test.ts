import { startChild } from '../../src/local/childProcess';

/** Says how many SIGTERMs have come within a moment after the first. */
const counts = `
let count = 0;
const tell = () => {
  console.log('told ' + count + ' times');
  process.exit(0);
};
process.on('SIGTERM', () => {
  count += 1;
  if (count === 1) setTimeout(tell, 200);
});
setInterval(() => {}, 1000);
console.log('ready');
`;

test('a child is told to end once, so that it may take a second time for impatience', async () => {
  const children = Array.from({ length: 8 }, () =>
    startChild({ command: [process.execPath, '-e', counts], env: {} }),
  );
  for (const child of children) {
    await child.waitForLine(/^ready/, 30_000);
    await child.stop();
    expect(child.lastLines()).toEqual(['ready', 'told 1 times']);
    expect(await child.exited).toBe(0);
  }
});
