import { runCli, startCli } from './runCli';

test('--help lists the commands and what the exit codes mean', async () => {
  const { code, stdout, stderr } = await runCli(['--help']);
  const listed = stdout.match(/^ {2}[a-z]+(?= )/gm)?.map((word) => word.trim());
  expect(listed).toEqual([
    'dev',
    'sandbox',
    'codec',
    'worker',
    'bundle',
    'deploy',
    'transfer',
    'mint',
    'execute',
    'fund',
    'sweep',
    'provision',
    'payout',
    'schedule',
    'status',
    'watch',
    'list',
    'paid',
    'wallets',
    'wallet',
    'networks',
    'cancel',
    'pause',
    'resume',
    'accelerate',
    'resolve',
    'resubmit',
    'policy',
    'approvals',
    'approve',
    'reject',
    'request',
    'console',
    'receipt',
    'archive',
    'statement',
    'reconcile',
    'close',
    'webhooks',
    'answers',
    'rate',
    'doctor',
    'completion',
    'help',
  ]);
  expect(stdout).toContain('0 done · 1 refused, failed or cancelled · 2 bad input');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
});

test('the program itself speaks and ends as its commands do', async () => {
  const [help, wrong] = await Promise.all([
    startCli(['--help']).ended,
    startCli(['list', '--limit', '0']).ended,
  ]);
  expect(help).toEqual({ ...(await runCli(['--help'])), code: 0 });
  expect(wrong).toEqual(await runCli(['list', '--limit', '0']));
  expect(wrong).toMatchObject({ code: 2, stderr: expect.stringMatching(/^Error: --limit: .*\n$/) });
});

test('a command tells its flags and shows an example', async () => {
  const { code, stdout } = await runCli(['transfer', '--help']);
  expect(stdout).toContain('--amount <amount>');
  expect(stdout).toContain('steadfast transfer --from <wallet> --to 0x…');
  expect(code).toBe(0);
});

test('without a command the help is shown, and nothing done', async () => {
  const { code, stderr } = await runCli([]);
  expect(stderr).toContain('Usage: steadfast');
  expect(code).toBe(2);
});

test('what is not a terminal gets no colour, also where the environment asks for it', async () => {
  const env = { CI: 'true', FORCE_COLOR: '1' };
  const { stderr } = await startCli(['transfer', '--id', 'a', '--amount', 'much'], env).ended;
  expect(stderr).toMatch(/^Error: /);
});
