import { checkIds, isCheckId } from '../../checks/check';
import { type Check, type CheckId, checks } from '../../checks/checks';
import { shown } from '../../orders/input/shown';
import type { CheckRule } from './policy';
import { checkBeyond, lowerSet, type Path, type PolicyReading } from './resolveNames';
import type { CheckText } from './schema';

/** Reads a rule of checks. A check that a writer cannot judge would refuse nothing, so it is a fault. */
export function readCheck(reading: PolicyReading, rule: CheckText, path: Path): CheckRule {
  const { id, orders, wallets, beyond } = rule;
  const { fault } = reading;
  const named = new Map<CheckId, boolean>();
  for (const [word, action] of Object.entries(rule.checks)) {
    const unfit = unfitWords(word);
    if (unfit !== undefined) fault([...path, 'checks', word], unfit);
    if (isCheckId(word)) named.set(word, action === 'approve');
  }
  if (Object.keys(rule.checks).length === 0) fault([...path, 'checks'], `${id}: names no check`);
  checkBeyond(reading, beyond, path);
  const asks = [...named.values()].includes(true);
  if (asks && beyond === undefined) {
    fault(path, `${id}: says approve, and names no approval rule with beyond`);
  }
  if (!asks && beyond !== undefined) {
    fault([...path, 'beyond'], `${id}: has beyond, and none of its checks says approve`);
  }
  return {
    id,
    orders: orders && new Set(orders),
    wallets: wallets && lowerSet(wallets),
    checks: named,
    beyond,
  };
}

/** The reason why a word names no check of a policy. */
function unfitWords(word: string): string | undefined {
  if (!isCheckId(word)) return `${shown(word)} is no check. Name some of ${judged.join(', ')}`;
  if (isJudged(word)) return undefined;
  const { sees }: Check = checks[word];
  const why =
    sees === 'name'
      ? 'compares names of payees, which no signed call carries'
      : 'compares the lines of a whole order, and a writer is given one payment at a time';
  return `${word} ${why}. Leave it out here, and start payouts with strict`;
}

function isJudged(id: CheckId): boolean {
  const { sees }: Check = checks[id];
  return sees === 'payment';
}

const judged = checkIds.filter(isJudged);
