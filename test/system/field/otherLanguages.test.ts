import { execFile, execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { times } from '../../support/lane';
import { missingPrograms } from '../../support/missingPrograms';
import { createServe } from '../../support/orders';
import { installed } from '../../support/package/installed';
import {
  transferOrder as order,
  scriptedCustody,
  sender,
} from '../../support/service/scriptedCustody';
import { temporalAddress } from '../../support/temporal';

const run = promisify(execFile);
const serve = createServe();
const page = join(__dirname, '../../../docs/how-to/start-from-another-language.md');
const folder = mkdtempSync(join(tmpdir(), 'steadfast-languages-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Temporal's client of a language takes minutes to build where nothing of it is there yet. */
const inWholeLane = times({ short: 0, all: 1 }) > 0;
const buildMsMax = 600_000;

/** The program of the page, with an id, a queue and an order of this test. */
function programIn(language: string, id: string, taskQueue: string): string {
  const fence = new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``);
  const [, program = ''] = fence.exec(readFileSync(page, 'utf8')) ?? [];
  return program
    .replace('localhost:7233', temporalAddress())
    .replace('"steadfast"', JSON.stringify(taskQueue))
    .replace('transfer:invoice-4711', id)
    .replace('<wallet id>', sender.id)
    .replace(/0x523b\w+/, order.to)
    .replace('12.50', order.amount);
}

/** Runs a program twice. Returns the last line of each run, and the number of transfers. */
async function twice(language: string, prepare: (program: string) => readonly string[]) {
  const custody = scriptedCustody();
  const { taskQueue } = await serve(custody);
  const program = programIn(language, `transfer:${randomUUID()}`, taskQueue);
  const [command = '', ...args] = prepare(program);
  const first = await run(command, args, { cwd: folder });
  const second = await run(command, args, { cwd: folder });
  const [one, other] = [first, second].map(({ stdout }) => stdout.trim().split('\n').at(-1));
  return [one, other, custody.calls('createTransfer').length];
}

/** The programs of a language that this machine has, where this lane builds them. */
function itWith(...programs: string[]) {
  return inWholeLane && missingPrograms(programs).length === 0 ? it : it.skip;
}

itWith('go')(
  'the program in Go runs twice as it stands on its page, and pays once',
  async () => {
    const build = (program: string): string[] => {
      writeFileSync(join(folder, 'main.go'), program);
      const go = (...args: string[]) => execFileSync('go', args, { cwd: folder, stdio: 'pipe' });
      go('mod', 'init', 'pay');
      go('get', 'go.temporal.io/sdk@v1.31.0');
      go('mod', 'tidy');
      go('build', '-o', 'pay', '.');
      return [join(folder, 'pay')];
    };
    expect(await twice('go', build)).toEqual(['0xabc', '0xabc', 1]);
  },
  buildMsMax,
);

itWith('java', 'mvn')(
  'the program in Java runs twice as it stands on its page, and pays once',
  async () => {
    const libraries = installed('java-temporal-1.28.0', (into) => {
      const project =
        '<project><modelVersion>4.0.0</modelVersion><groupId>pay</groupId>' +
        '<artifactId>pay</artifactId><version>1</version><dependencies><dependency>' +
        '<groupId>io.temporal</groupId><artifactId>temporal-sdk</artifactId>' +
        '<version>1.28.0</version></dependency></dependencies></project>';
      writeFileSync(join(folder, 'pom.xml'), project);
      const copy = ['-q', '-B', 'dependency:copy-dependencies', `-DoutputDirectory=${into}`];
      execFileSync('mvn', copy, { cwd: folder, stdio: 'pipe' });
      return undefined;
    });
    if ('fault' in libraries) throw new Error(libraries.fault);
    const prepare = (program: string): string[] => {
      const file = join(folder, 'Pay.java');
      writeFileSync(file, program);
      return ['java', '-cp', join(libraries.folder, '*'), file];
    };
    expect(await twice('java', prepare)).toEqual(['0xabc', '0xabc', 1]);
  },
  buildMsMax,
);
