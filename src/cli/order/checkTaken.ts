import type { Checked, CheckFinding } from '../../checks/check';
import { workflowIdOf } from '../../orders/input/orderId';
import { askYesNo, isSomebodyThere } from '../ask';
import type { Call } from '../call';
import { bookIn, checkOrder, refuseFindings } from '../check/checkOrder';
import { namesIn } from '../check/names';
import { tellChecked, tellPayees } from '../check/tellChecked';
import { reportNo } from './reportAct';
import type { TakenOrder } from './takeOrder';

/**
 * Runs the checks on a transfer before it starts, and tells what they find. Returns true if it may
 * start: a person on a terminal is asked where there is a finding. Throws an InputError for a
 * strict order with one.
 */
export async function checkTaken(
  { id, payments, wallets, isStrict }: TakenOrder,
  call: Call,
): Promise<boolean> {
  if (payments.length === 0) return true;
  const { terminal, voice } = call;
  const book = bookIn(terminal.env);
  const orderId = workflowIdOf(id, terminal.env.STEADFAST_KEY_SCOPE ?? '');
  const checked = ofTransfer(await checkOrder({ orderId, payments, wallets }, book, call));
  if (isStrict) refuseFindings(checked, '--strict');
  for (const payee of tellPayees(payments, namesIn(call, book))) voice.note(`  ${payee}`);
  if (checked.findings.length === 0) return true;
  for (const line of tellChecked(checked)) voice.note(line);
  if (!isSomebodyThere(terminal)) return true;
  if (await askYesNo('Pay this all the same?', terminal)) return true;
  reportNo(id, call, 'Nothing was started.');
  return false;
}

/** Findings about a transfer, which has no lines, as whole sentences. */
function ofTransfer(checked: Checked): Checked {
  const findings = checked.findings.map(({ check, lineId, words }): CheckFinding => {
    return { check, words: lineId === undefined ? words : `It ${words}.` };
  });
  return { ...checked, findings };
}
