import { shown } from '../../../orders/input/shown';
import { dueFault, notUnderstood } from '../conditions/dueFault';
import type { Texts } from './texts';

const name = 'ReqdExctnDt';

/**
 * The faults of a requested execution date in any of its forms: a day as text (up to version .07),
 * or in Dt or DtTm. A later one is refused, and one that is not understood.
 */
export function dueFaults(texts: Texts, at: string): string[] {
  return [...texts]
    .filter(([path]) => path === name || path.startsWith(`${name}/`))
    .flatMap(([path, all]) =>
      all.flatMap((text) => {
        const fault = isFor(path, text) ? dueFault(text) : notUnderstood;
        return fault === undefined ? [] : [`${at}/${path} ${shown(text)} ${fault}`];
      }),
    );
}

/** True where a day, or a time, is in its own element. */
function isFor(path: string, text: string): boolean {
  return text.includes('T') ? path === `${name}/DtTm` : [name, `${name}/Dt`].includes(path);
}
