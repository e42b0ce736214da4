import { type ChildProcessByStdio, execFileSync, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { bareEnvironment } from '../../../src/local/bareEnvironment';
import { newFolder, stopLater } from '../../support/jest/setUp';
import { missingPrograms } from '../../support/missingPrograms';
import { installed } from '../../support/package/installed';
import { pythonPackages } from '../../support/package/pythonPackages';
import { countTransfers, startTestStack, type TestStack } from '../../support/stack';

const root = join(__dirname, '..', '..', '..');
const samples = join(root, 'docs', 'samples');
const page = readFileSync(join(root, 'docs/how-to/start-from-another-language.md'), 'utf8');
const folder = newFolder();

let stack: TestStack;
beforeAll(async () => {
  stack = await startTestStack();
  stopLater(() => stack.stop());
});

type Command = { command: string; args: string[]; env?: Record<string, string> };
type Sample = {
  language: string;
  file: string;
  tools: readonly string[];
  /** Prepares the program in a folder. Returns how to run it there. */
  prepare(at: string): Command;
};

/** The program of each language. The first build on a machine takes minutes. */
const languages: readonly Sample[] = [
  {
    language: 'python',
    file: 'pay.py',
    tools: ['python3'],
    prepare: (at) => {
      const packages = readFileSync(join(at, 'requirements.txt'), 'utf8').trim().split('\n');
      const python = pythonPackages('temporalio', packages, '--only-binary=:all:');
      if (python === undefined) throw new Error('pip could not install temporalio.');
      return { command: python.program, args: [join(at, 'pay.py')], env: python.env };
    },
  },
  {
    language: 'go',
    file: 'pay.go',
    tools: ['go'],
    prepare: (at) => {
      execFileSync('go', ['build', '-o', 'pay', '.'], { cwd: at, stdio: 'pipe' });
      return { command: join(at, 'pay'), args: [] };
    },
  },
  {
    language: 'java',
    file: 'Pay.java',
    tools: ['java', 'javac', 'mvn'],
    prepare: (at) => {
      const project = readFileSync(join(at, 'pom.xml'), 'utf8');
      const [, version] = /temporal-sdk<\/artifactId>\s*<version>([^<]+)/.exec(project) ?? [];
      const libraries = installed(`java-temporal-${version}`, (into) => {
        const copy = ['-q', '-B', 'dependency:copy-dependencies', `-DoutputDirectory=${into}`];
        execFileSync('mvn', copy, { cwd: at, stdio: 'pipe' });
        return undefined;
      });
      if ('fault' in libraries) throw new Error(libraries.fault);
      const jars = join(libraries.folder, '*');
      execFileSync('javac', ['-cp', jars, 'Pay.java'], { cwd: at, stdio: 'pipe' });
      return { command: 'java', args: ['-cp', `${jars}:${at}`, 'Pay'] };
    },
  },
];

/** A copy of a sample, ready to run. Its text is as it stands, unless `change` changes it. */
function prepared({ language, file, prepare }: Sample, change = (program: string) => program) {
  const at = mkdtempSync(join(folder, `${language}-`));
  cpSync(join(samples, language), at, { recursive: true });
  writeFileSync(join(at, file), change(readFileSync(join(at, file), 'utf8')));
  return prepare(at);
}

type Running = ChildProcessByStdio<null, Readable, Readable>;
/** Temporal's client for Python sometimes aborts as Python ends. Then there is no code. */
type Said = { code: number | null; stdout: string; stderr: string };

/** A run of a program: its end, and the state of the order that it tells before. */
function start({ command, args, env = {} }: Command, order: readonly string[], queue?: string) {
  const child = spawn(command, [...args, ...order], {
    env: bareEnvironment({
      ...env,
      TEMPORAL_ADDRESS: stack.parts.temporal.address,
      STEADFAST_TASK_QUEUE: queue ?? stack.parts.taskQueue,
    }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return { end: endOf(child), state: stateIn(child, order[0] ?? '') };
}

async function endOf(child: Running): Promise<Said> {
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  return { code, stdout, stderr };
}

function stateIn(child: Running, id: string): Promise<string> {
  return new Promise((resolve) => {
    let said = '';
    child.stderr.on('data', (chunk) => {
      said += chunk;
      const [, state] = new RegExp(`${id}: (\\w+)\n`).exec(said) ?? [];
      if (state !== undefined) resolve(state);
    });
    child.once('close', () => resolve(said));
  });
}

/** The last line, since a client of Temporal may say something before. */
function lastLine({ stdout }: Said): string | undefined {
  return stdout.trim().split('\n').at(-1);
}

async function newOrder(amount = '1.25') {
  const wallet = await stack.fundedWallet('EOA');
  const to = privateKeyToAddress(generatePrivateKey());
  const id = `transfer:${randomUUID()}`;
  return { from: wallet.address, to, amount, words: [id, wallet.id, to, amount] };
}

/** Keeps the worker from learning that its transfer was accepted, until `release` is called. */
function holdAcceptance(): { release: () => void } {
  let release = (): void => {};
  const promise = new Promise<void>((resolve) => {
    release = resolve;
  });
  stack.proxy.onAnswer = async ({ method, path }) => {
    if (method === 'POST' && path.endsWith('/transactions/transfer')) await promise;
    return true;
  };
  return { release };
}

describe.each(languages)('the program in $language', (sample) => {
  const itHere = missingPrograms(sample.tools).length === 0 ? it : it.skip;
  let asItStands: Command | undefined;
  const program = (): Command => {
    asItStands ??= prepared(sample);
    return asItStands;
  };
  const fence = new RegExp(`\`\`\`${sample.language}\\n([\\s\\S]*?)\`\`\``);

  it('is what its page shows', () => {
    const file = join(samples, sample.language, sample.file);
    expect(fence.exec(page)?.[1]).toBe(readFileSync(file, 'utf8'));
  });

  itHere('pays once: a second start attaches, and one after the end pays nothing', async () => {
    const { words, ...transfer } = await newOrder();
    const acceptance = holdAcceptance();
    const [first, second] = [start(program(), words), start(program(), words)];
    expect(await Promise.all([first.state, second.state])).toEqual([
      expect.stringMatching(/^(Preparing|Waiting|Settling)$/),
      expect.stringMatching(/^(Preparing|Waiting|Settling)$/),
    ]);
    acceptance.release();
    const ends = [await first.end, await second.end, await start(program(), words).end];
    const [hash] = ends.map(lastLine);
    expect(ends.map(lastLine)).toEqual([hash, hash, hash]);
    expect(await countTransfers(stack.chain, transfer)).toBe(1);
    const { status } = await stack.chain.getTransactionReceipt({ hash: hash as `0x${string}` });
    expect(status).toBe('success');
  });

  itHere('tells a refused order in the words of the product', async () => {
    const { words } = await newOrder('1,25');
    const { code, stderr } = await start(program(), words).end;
    expect(stderr).toMatch(/has ended without a receipt: .*amount: "1,25" /s);
    expect(code).not.toBe(0);
  });

  itHere('tells a wrong queue, and a wrong name of the workflow, within seconds', async () => {
    const { words, ...transfer } = await newOrder();
    const misnamed = prepared(sample, (text) => text.replace('"transferS', '"transfers'));
    const begun = Date.now();
    const ends = await Promise.all([
      start(program(), words, 'nobody').end,
      start(misnamed, [`${words[0]}-2`, ...words.slice(1)]).end,
    ]);
    expect(ends.map(({ code }) => code)).not.toContain(0);
    expect(ends[0]?.stderr).toContain(
      'Check the task queue "nobody", and the name of the workflow',
    );
    expect(ends[1]?.stderr).toMatch(/no worker answers for it: .+\. Check the task queue/);
    expect(Date.now() - begun).toBeLessThan(60_000);
    expect(await countTransfers(stack.chain, transfer)).toBe(0);
  });
});
