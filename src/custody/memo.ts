/** Arc's contract that makes one call of an account with a key of its own, and logs a memo of it. */
export const memoContract = '0x5294E9927c3306DcBaDb03fe70b92e01cCede505';

export const memoSignature = 'memo(address,bytes,bytes32,bytes)';

/** A transfer with a memo. Data and memo id are hexadecimal digits without `0x`. */
export type MemoCall = {
  /** The token. */
  target: string;
  /** The call of the token: a selector and two words. */
  data: string;
  memoId: string;
};

const selector = 'c3b2c4f8';
const wordDigits = 64;
/** A transfer has 68 bytes. The call ends with an empty text, so each offset is known. */
const offsets = { data: 0x80, text: 0x100 };
const dataBytes = 68;
const padding = '0'.repeat(56);

/** The parameters of a call of `Memo`, as the service takes and shows them. */
export function memoParameters({ target, data, memoId }: MemoCall): string[] {
  return [target, `0x${data}`, `0x${memoId}`, '0x'];
}

/** Reads the parameters of a call of `Memo`. Undefined if it has a text of its own. */
export function memoInParameters(parameters: readonly unknown[]): MemoCall | undefined {
  const [target = '', data = '', memoId = '', text] = parameters.map(lower);
  if (parameters.length !== 4 || text !== '0x') return undefined;
  return { target, data: data.slice(2), memoId: memoId.slice(2) };
}

/** The call of `Memo` as bytes, without `0x`. */
export function memoData({ target, data, memoId }: MemoCall): string {
  const head = [lower(target).slice(2), digits(offsets.data), memoId, digits(offsets.text)];
  const words = [...head, digits(dataBytes)].map(word);
  return `${selector}${words.join('')}${data}${padding}${word('')}`;
}

const form = new RegExp(
  `^0x${selector}0{24}([0-9a-f]{40})${word(digits(offsets.data))}([0-9a-f]{${wordDigits}})` +
    `${word(digits(offsets.text))}${word(digits(dataBytes))}([0-9a-f]{${2 * dataBytes}})` +
    `${padding}${word('')}$`,
);

/** Reads the bytes of a call of `Memo` with a transfer inside. Undefined for anything else. */
export function memoIn(bytes: string): MemoCall | undefined {
  const [, target, memoId, data] = form.exec(lower(bytes)) ?? [];
  if (target === undefined || memoId === undefined || data === undefined) return undefined;
  return { target: `0x${target}`, data, memoId };
}

function word(hex: string): string {
  return hex.padStart(wordDigits, '0');
}

function digits(number: number): string {
  return number.toString(16);
}

function lower(value: unknown): string {
  return String(value).toLowerCase();
}
