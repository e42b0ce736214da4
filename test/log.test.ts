import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const root = join(__dirname, '..');
const apiKey = 'TEST_API_KEY:0123456789abcdef:fedcba9876543210fedcba';
const entitySecret = '5eed'.repeat(16);

/** The log of a separate process. */
async function logged(script: string): Promise<string> {
  const code = `const { log, keepSecret, logFrom } = require('./src/log.ts');
    keepSecret(${JSON.stringify(apiKey)}, ${JSON.stringify(entitySecret)}, undefined);
    ${script}`;
  const args = ['--require', './scripts/typescript', '--eval', code];
  const { stderr } = await run(process.execPath, args, {
    cwd: root,
    env: { PATH: process.env.PATH },
  });
  return stderr;
}

describe('the log', () => {
  test('has no secret in it, whatever field it got into and in whatever form', async () => {
    const text = await logged(`
      const secret = ${JSON.stringify(entitySecret)};
      const key = ${JSON.stringify(apiKey)};
      log.info({ deep: { deeper: [secret] }, url: 'http://u:' + encodeURIComponent(key) + '@x' });
      log.warn(new Error('it said ' + key), Buffer.from(secret).toString('base64'));
      log.info({ header: Buffer.from('key ' + key).toString('base64') }, 'the end ' + secret);`);
    const lines = text.trim().split('\n');
    expect(lines.map((line) => JSON.parse(line).msg)).toHaveLength(3);
    expect(text).toContain('<secret>');
    const forms = [entitySecret, apiKey, 'fedcba9876543210', '0123456789abcdef'];
    const coded = forms.flatMap((form) => [
      form,
      Buffer.from(form).toString('base64').slice(2, 14),
    ]);
    for (const form of coded) expect(text).not.toContain(form);
  });

  test('has lines of a level and what is graver', async () => {
    const text = await logged(`log.debug('one'); logFrom('debug'); log.debug('two');
      logFrom('error'); log.warn('three'); log.error('four');`);
    const messages = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).msg);
    expect(messages).toEqual(['two', 'four']);
  });
});
