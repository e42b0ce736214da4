import { effectInWords } from '../../client/asking/askings';
import type { NameOf } from '../../writer/file/namesOf';
import { html, type PagePart } from '../page/html';
import { inFull } from '../page/names';

/** One thing that is sent, with the whole address and the name of whoever gets money. */
export function effectShown(effect: Record<string, unknown>, nameOf: NameOf): PagePart {
  const { kind, amount, money, to } = effect;
  if (kind !== 'money') {
    const words = effectInWords(effect).split(/\b(0x[0-9a-fA-F]{40})\b/);
    return words.map((part) => inFull(part, nameOf));
  }
  return html`<b>${String(amount)} ${String(money)}</b> to ${inFull(String(to), nameOf)}`;
}
