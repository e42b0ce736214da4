import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { newFolder } from '../support/jest/setUp';

const root = join(__dirname, '../..');
const folder = newFolder();

/** Runs a backend's script that catches nothing, and returns what Node prints of its error. */
function printed(script: string): string[] {
  const file = join(folder, 'pay.js');
  const client = JSON.stringify(join(root, 'src/client/client.ts'));
  writeFileSync(file, `const steadfast = require(${client});\n${script}`);
  const { stderr } = spawnSync(process.execPath, ['--require', './scripts/typescript', file], {
    cwd: root,
    env: { PATH: process.env.PATH },
    encoding: 'utf8',
  });
  const lines = stderr.split('\n');
  const from = lines.findIndex((line) => /^\w*Error: /.test(line));
  return lines.slice(from, lines.indexOf('', from));
}

describe('a script that catches no error of the client', () => {
  test('prints the sentence of a BadOrderError and its own lines', () => {
    const [sentence, ...frames] = printed(`
      const client = { options: {}, connection: {} };
      const { start } = steadfast.createSteadfast({ client, taskQueue: 'steadfast' });
      async function pay() {
        await start('transferStablecoin', 'transfer:1', { amount: '0' });
      }
      pay();`);
    expect(sentence).toMatch(/^BadOrderError: from: is missing\. .*amount: "0" must be more than/);
    expect(frames[0]).toContain(`at pay (${folder}/pay.js:`);
    expect(frames.filter((line) => !line.includes(folder))).toEqual([]);
  });

  test('prints the sentence of an OrderError, without its record', () => {
    const [sentence, ...frames] = printed(`
      const facts = { outcome: 'failed', record: { state: 'FAILED' } };
      throw new steadfast.OrderError('The transfer failed.', facts);`);
    expect(sentence).toBe('OrderError: The transfer failed.');
    expect(frames.filter((line) => !line.includes(folder))).toEqual([]);
  });

  test('prints the sentence of a ConfigError', () => {
    const [sentence, ...frames] = printed(`
      process.env.STEADFAST_TASK_QUEUE = 'a b';
      steadfast.connectSteadfast();`);
    expect(sentence).toBe('ConfigError: STEADFAST_TASK_QUEUE: must be a plain name.');
    expect(frames.filter((line) => !line.includes(folder))).toEqual([]);
  });
});
