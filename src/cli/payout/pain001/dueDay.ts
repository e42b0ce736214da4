import { shown } from '../../../orders/input/shown';
import type { Texts } from './texts';

const name = 'ReqdExctnDt';
const zone = '(Z|[+-]\\d\\d:\\d\\d)?';
const dayForm = new RegExp(`^(\\d{4})-(\\d\\d)-(\\d\\d)${zone}$`);
const timeForm = new RegExp(`^(\\d{4})-(\\d\\d)-(\\d\\d)T\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?${zone}$`);

/**
 * The faults of a requested execution date in any of its forms: a day as text (up to version .07),
 * or in Dt or DtTm. A later one is refused, and one that is not understood. Without a zone, it is
 * this computer's time.
 */
export function dueFaults(texts: Texts, at: string): string[] {
  return [...texts]
    .filter(([path]) => path === name || path.startsWith(`${name}/`))
    .flatMap(([path, all]) =>
      all.flatMap((text) =>
        dueFault(path, text).map((fault) => `${at}/${path} ${shown(text)} ${fault}`),
      ),
    );
}

function dueFault(path: string, text: string): string[] {
  const dueMs = path === `${name}/DtTm` ? momentOf(text) : dayOf(text);
  const isKnown = [name, `${name}/Dt`, `${name}/DtTm`].includes(path);
  if (!isKnown || Number.isNaN(dueMs)) return [notUnderstood];
  return dueMs > Date.now() ? [tooLate] : [];
}

const notUnderstood =
  'is no day that is understood. Write it as 2026-01-31, or in DtTm as 2026-01-31T09:00:00Z.';
const tooLate = 'is later than today, or than now. Start it then, or schedule it.';

/** The beginning of a day, in milliseconds. NaN for a text that is none. */
function dayOf(text: string): number {
  if (!isInCalendar(dayForm.exec(text))) return Number.NaN;
  return Date.parse(`${text.slice(0, 10)}T00:00:00${text.slice(10)}`);
}

function momentOf(text: string): number {
  return isInCalendar(timeForm.exec(text)) ? Date.parse(text) : Number.NaN;
}

/** False for the 30th of February, which a Date takes for a day in March. */
function isInCalendar(parts: RegExpExecArray | null): boolean {
  if (parts === null) return false;
  const [, year, month, day] = parts.map(Number);
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  return date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === day;
}
