import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DiagnosticCategory, ModuleKind, transpileModule } from 'typescript';
import { type Bug, bugs } from '../../../proof/sweep/planted/bugs';
import { edited } from '../../../proof/sweep/planted/edit';
import type { Hunted } from '../../../proof/sweep/planted/hunt';
import { isAsItShouldBe, showHunt, showHunted } from '../../../proof/sweep/planted/show';

const root = join(__dirname, '..', '..', '..');
const [bug] = bugs;
const lost = { fault: 'lost', evidence: 'nothing was logged' } as const;
const unreached = { fault: 'unreached', evidence: 'It never reached it.' } as const;

function hunted(change: Partial<Hunted>): Hunted {
  return { bug, played: [{ place: 'pay · send · killed', complaints: [] }], seconds: 7, ...change };
}

/** The syntax errors of a file with a bug planted in it. */
function faultsOf({ edits }: Bug): string[] {
  return edits.flatMap((edit) => {
    const text = edited(readFileSync(join(root, edit.file), 'utf8'), edit);
    const { diagnostics = [] } = transpileModule(text, {
      fileName: edit.file,
      reportDiagnostics: true,
      compilerOptions: { module: ModuleKind.CommonJS },
    });
    return diagnostics
      .filter(({ category }) => category === DiagnosticCategory.Error)
      .map(({ messageText }) => String(messageText));
  });
}

describe('planted bugs', () => {
  test('each has a name of its own and a scene to show in', () => {
    expect(bugs.length).toBeGreaterThanOrEqual(17);
    expect(new Set(bugs.map(({ name }) => name)).size).toBe(bugs.length);
    for (const { scenes } of bugs) expect(scenes.length).toBeGreaterThan(0);
  });

  test.each(bugs)('$name: fits the present source, once, and compiles', (one) => {
    expect(faultsOf(one)).toEqual([]);
  });

  test('one that the code has moved on from is no bug any more, and says so', () => {
    const edit = { file: 'pay.ts', find: 'pay()', replace: 'payTwice()' };
    expect(edited('await pay();', edit)).toBe('await payTwice();');
    expect(() => edited('await send();', edit)).toThrow('pay.ts: has 0 places that read "pay()"');
    expect(() => edited('pay(); pay();', edit)).toThrow('has 2 places');
  });
});

describe('a hunt', () => {
  test('is well when a bug is caught and nothing else is found', () => {
    const caught = hunted({ played: [{ place: 'pay', complaints: [lost] }] });
    expect(isAsItShouldBe(caught)).toBe(true);
    expect(isAsItShouldBe(hunted({}))).toBe(false);
    expect(isAsItShouldBe(hunted({ bug: undefined }))).toBe(true);
    expect(isAsItShouldBe({ ...caught, bug: undefined })).toBe(false);
  });

  test('has caught nothing where the place was not even reached', () => {
    const played = [{ place: 'pay', complaints: [lost, unreached] }];
    expect(showHunt([hunted({ played })])).toContain('| pay | NOT CAUGHT |');
    expect(isAsItShouldBe(hunted({ played }))).toBe(false);
    expect(isAsItShouldBe(hunted({ played, bug: undefined }))).toBe(false);
    expect(isAsItShouldBe(hunted({ played: [], bug: undefined }))).toBe(false);
  });

  test('shows where each was caught, and how many of them', () => {
    const caught = hunted({ played: [{ place: 'pay', complaints: [lost, lost] }] });
    const table = showHunt([hunted({ bug: undefined }), caught, hunted({})]);
    expect(table).toContain(`| ${bug?.name} | pay | lost |`);
    expect(table).toContain(`| ${bug?.name} | pay · send · killed | NOT CAUGHT |`);
    expect(table).toContain('| (none, the same 1 scenes) | nothing | 0 findings |');
    expect(table).toContain('1 of 2 caught');
    expect(showHunted(caught)).toContain('lost: nothing was logged');
    expect(showHunted(hunted({ bug: undefined }))).toContain('nothing found in 1 scenes (7 s)');
  });
});
