import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openArchive } from '../../../src/books/archive/openArchive';
import { namesIn, withKnownNames } from '../../../src/cli/check/names';
import type { Terminal } from '../../../src/cli/show/voice';
import { newReceipt } from '../../books/archive/stores';
import { someone } from '../../support/stages';
import { recordedVoice } from '../recordedVoice';
import { runCli } from '../runCli';

const folder = mkdtempSync(join(tmpdir(), 'steadfast-names-'));
afterAll(() => rmSync(folder, { recursive: true }));

const [ann, bo, cy] = [someone(), someone(), someone()];

function fileOf(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const book = fileOf('book.csv', `name,address\nAnn Berg,${ann}\n`);
fileOf('staff.csv', `address,name\n${ann},Somebody else\n${bo},Bo Chen\n`);
const policy = fileOf(
  'policy.yaml',
  `version: 1
groups:
  staff: { file: staff.csv }
rules:
  - id: salaries
    kind: limit
    orders: [payout]
    wallets: ["0c3f3d3e-1111-4222-8333-4444aaaa6666"]
    tokens: [USDC]
    to: "@staff"
    perTransfer: "12000"
`,
);
const both = { STEADFAST_ADDRESS_BOOK: book, STEADFAST_POLICY_FILE: policy };

function told(env: NodeJS.ProcessEnv) {
  const { voice, noted } = recordedVoice();
  const { stdin, stdout, stderr } = process;
  const terminal: Terminal = { env, stdin, stdout, stderr };
  return { call: { voice, terminal }, noted };
}

describe('the names of addresses on a machine', () => {
  it('are those of its book, then those of the groups in its policy', () => {
    const nameOf = namesIn(told(both).call);
    expect([ann, bo.toUpperCase().replace('0X', '0x'), cy].map(nameOf)).toEqual([
      'Ann Berg',
      'Bo Chen',
      undefined,
    ]);
  });

  it('are those of the book alone if the policy cannot be read, and that is noted', () => {
    const { call, noted } = told({ ...both, STEADFAST_POLICY_FILE: join(folder, 'none.yaml') });
    expect([ann, bo].map(namesIn(call))).toEqual(['Ann Berg', undefined]);
    expect(noted).toEqual([
      expect.stringMatching(/^The policy tells no names\. .*it is not there/),
    ]);
  });

  it('stand behind addresses in lines, and no file is read for a line without one', () => {
    const { call, noted } = told({ STEADFAST_ADDRESS_BOOK: join(folder, 'none.csv') });
    const hash = `0x${'ab'.repeat(32)}`;
    expect(withKnownNames([`paid in ${hash}`], call)).toEqual([`paid in ${hash}`]);
    expect(noted).toEqual([]);
    expect(withKnownNames([`to ${ann}`, `to ${bo}`], call)).toEqual([`to ${ann}`, `to ${bo}`]);
    expect(noted).toEqual([expect.stringMatching(/^The address book tells no names\. /)]);
    expect(withKnownNames([`to ${bo}, again`], told(both).call)).toEqual([
      `to ${bo} (Bo Chen), again`,
    ]);
  });
});

describe('a payment that is found', () => {
  const env = { ...both, STEADFAST_STORE: `file:${join(folder, 'store')}` };
  const token = { name: 'USDC', address: `0x36${'0'.repeat(38)}`, decimals: 6 };
  const paidTo = (to: string, payee?: string) => {
    const money = { from: someone(), to, token, amount: '5', baseUnits: '5000000' };
    const receipt = newReceipt({ money });
    return payee === undefined ? receipt : { ...receipt, order: { ...receipt.order, payee } };
  };
  const [toBo, toAnn] = [paidTo(bo), paidTo(ann, 'A. Berg')];

  beforeAll(async () => {
    const archive = await openArchive(env.STEADFAST_STORE);
    await archive.append([toBo, toAnn]);
    await archive.close();
  });

  it('has the name that this machine knows, unless its receipt has one', async () => {
    const table = await runCli(['paid', '--to', bo], env);
    expect(table.stdout).toMatch(/Bo Chen/);
    const found = await runCli(['paid', '--to', ann, '--json'], env);
    expect(JSON.parse(found.stdout)).toMatchObject([{ payee: 'A. Berg' }]);
  });

  it('keeps its receipt as it was made, and the name is shown beside it', async () => {
    const [plain, named] = await Promise.all([
      runCli(['receipt', toBo.order.id], { STEADFAST_STORE: env.STEADFAST_STORE }),
      runCli(['receipt', toBo.order.id], env),
    ]);
    expect(named.stdout).toBe(plain.stdout);
    expect(named.stderr).toContain(`${bo} is Bo Chen on this machine.`);
    const page = join(folder, 'page.html');
    await runCli(['receipt', toBo.order.id, '--html', page], env);
    expect(readFileSync(page, 'utf8')).toContain(
      '<tr><th>Name of that address today</th><td>Bo Chen</td></tr>',
    );
  });
});
