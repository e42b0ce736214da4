import { linesDigest } from '../../checks/digest';
import { effectInWords } from '../../client/asking/askings';
import { factsIn } from '../../client/asking/facts';
import { allLines } from '../../custody/objects/approval';
import type { NameOf } from '../../writer/file/namesOf';
import type { TreeLine } from '../../writer/signing/lineTree';
import type { ApprovalStatement } from '../../writer/signing/statement';
import { InputError } from '../exit';
import { pc } from '../show/colors';
import { factLines } from '../show/tellReceipt';
import { tellMoment } from '../show/tellTime';
import { visible, visibleLine } from '../show/visible';
import { tellFirstLines } from './ownLines';

/** The names that the person who reads has, and whether there is a list of them. */
export type Names = { nameOf: NameOf; hasList: boolean };

/**
 * A statement in words: what is signed, and what the reader's own checks find in it. Throws an
 * InputError for one that cannot be shown whole, so that nobody signs what they have not seen.
 */
export function tellStatement(
  statement: ApprovalStatement,
  { lines, names, findings }: { lines: readonly TreeLine[]; names: Names; findings: string[] },
): string[] {
  const { order, kind, entity, blockchain, namespace, expires, money, write } = statement;
  const { validUntil } = statement;
  const named = (line: string): string => withNames(line, names);
  const { all, isCut } = factsIn(money, { most: Number.POSITIVE_INFINITY });
  if (isCut) {
    throw new InputError(
      `id: ${order} has more fields than can be shown, so nobody can decide on it. Cancel it, and ` +
        'start one with fewer fields.',
    );
  }
  return [
    `${pc.bold(order)} ${pc.dim('·')} ${kind}`,
    `  on ${blockchain}, account ${entity}, namespace ${namespace}`,
    'The order, as it was signed:',
    ...factLines(all).map(named),
    ...(validUntil === undefined ? [] : [`  to be sent until ${tellMoment(validUntil)}`]),
    `What is sent now, as ${write.target}${write.wallet ? ` from the wallet ${write.wallet}` : ''}:`,
    ...write.effects.map((effect) => `  ${named(effectInWords(effect))}`),
    ...(write.target === allLines ? tellFirstLines(lines) : []).map(named),
    ...(lines.length === 0 ? [] : [`  digest of all lines: ${pc.bold(linesDigest(lines))}`]),
    ...findings.map((words) => `  ${pc.yellow('!')} ${words}`),
    `The signature counts until ${tellMoment(expires)}.`,
  ].map((line) => visibleLine(line));
}

/** Puts a person's own names behind addresses. Addresses without one are marked as such. */
function withNames(line: string, { nameOf, hasList }: Names): string {
  return line.replace(/0x[0-9a-fA-F]{40}\b/g, (address) => {
    const name = nameOf(address) ?? (hasList ? pc.red('not in your list') : undefined);
    return name === undefined ? address : `${address} (${name || 'in your list'})`;
  });
}

/** The rule and the decisions, as the workers say them beside the statement. Nobody signs them. */
export function tellWanted(wanted: {
  rule: string;
  need: number;
  people: string[];
  given: string[];
}) {
  const { rule, need, people, given } = wanted;
  const so = given.length === 0 ? 'nobody so far' : given.join(', ');
  return visible(`The rule ${rule} asks ${need} of ${people.join(', ')}. Approved by: ${so}.`);
}
