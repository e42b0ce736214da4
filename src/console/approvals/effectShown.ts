import { effectInWords } from '../../client/asking/askings';
import type { NameOf } from '../../writer/file/namesOf';
import { html, type Part } from '../page/html';
import { inFull } from '../page/names';

/** One thing that is sent, with the whole address and the name of whoever gets money. */
export function effectShown(effect: Record<string, unknown>, nameOf: NameOf): Part {
  const { kind, amount, money, to } = effect;
  if (kind !== 'money') return effectInWords(effect);
  return html`<b>${String(amount)} ${String(money)}</b> to ${inFull(String(to), nameOf)}`;
}
