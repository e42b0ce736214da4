import { checkAnswers } from '../../../src/cli/doctor/checkAnswers';
import { runCli } from '../runCli';

const at = (url: string, isPrivate = false) => ({ url: new URL(url), keys: [], isPrivate });

test('a receiver on this machine is fine only where a setting allows it', async () => {
  const fault = expect.stringContaining('set STEADFAST_ANSWERS_PRIVATE=1');
  expect(await checkAnswers(at('https://localhost/hook'))).toMatchObject({
    state: 'fault',
    words: fault,
  });
  expect(await checkAnswers(at('http://localhost:4030/hook', true))).toMatchObject({
    state: 'fine',
    words: expect.stringMatching(/^localhost:4030 is told of the ends of orders, at /),
  });
});

test('a receiver whose name nobody knows is a fault', async () => {
  expect(await checkAnswers(at('https://nowhere.invalid/'))).toMatchObject({
    state: 'fault',
    words: expect.stringContaining('nowhere.invalid cannot be found'),
  });
});

test('doctor names the variable that is wrong, and never the secret', async () => {
  const env = {
    STEADFAST_ANSWERS_URL: 'https://erp.example.org/',
    STEADFAST_ANSWERS_SECRET: 'hush',
  };
  const { code, stdout } = await runCli(['doctor'], { ...env, TEMPORAL_ADDRESS: '127.0.0.1:1' });
  expect(code).toBe(2);
  expect(stdout).toContain('STEADFAST_ANSWERS_SECRET: must be whsec_ and the base64');
  expect(stdout).not.toContain('hush');
});
