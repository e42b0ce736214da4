import { join } from 'node:path';
import { createContext, Script } from 'node:vm';
import type { Edit } from '../../../sweep/planted/edit';
import { bundled } from '../../bundle';
import type { Happened, Question, Told } from './told';

/** One thing that a run hears, and its moment. */
export type Moment = { happened: Happened; atMs: number };

/** Plays a run of a workflow from its beginning, and says where it stands then. */
export type Player = <Carried, Given>(
  question: Question,
  beganMs: number,
  moments: readonly Moment[],
) => Told<Carried, Given>;

const [temporal, playing] = ['temporal', 'play'].map((name) => `proof/model/loop/temporal/${name}`);

/**
 * The product's workflows with a change in their source, in a realm of their own. Only JSON passes
 * in and out. The realm works off its promises before a call returns, so that a turn needs no
 * waiting.
 */
export async function playerWith(
  workflows: readonly string[],
  edits: readonly Edit[],
  root: string,
): Promise<Player> {
  const files = [...workflows.map((name) => `workflows/${name}`), `${playing}`];
  const alias = { '@temporalio/workflow': join(root, `${temporal}.ts`) };
  const text = await bundled(files, edits, { root, alias });
  const realm = createContext(
    { given: '', atMs: 0, TextEncoder },
    { microtaskMode: 'afterEvaluate' },
  );
  const body = `(function (module) { ${text}\nreturn module.exports; })({ exports: {} })`;
  new Script(`var run = ${body};`).runInContext(realm);
  const begin = new Script('run.begin(run, given, atMs)');
  const hear = new Script('run.hear(given, atMs)');
  const goOn = new Script('run.goOn()');
  const told = new Script('run.told()');
  const turn = (script: Script, given: object, atMs: number): void => {
    Object.assign(realm, { given: JSON.stringify(given), atMs });
    script.runInContext(realm);
    while (goOn.runInContext(realm));
  };
  return (question, beganMs, moments) => {
    turn(begin, question, beganMs);
    for (const { happened, atMs } of moments) turn(hear, happened, atMs);
    return JSON.parse(told.runInContext(realm));
  };
}
