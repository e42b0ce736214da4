import { BadOrderError } from '../../orders/input/read';
import { InputError } from '../exit';
import { type FlagList, type Flags, flagName } from '../flags';

/** The flags that a person could give for the fields of an order. */
type FieldFlags = {
  flags: FlagList;
  /** The flags of those fields that have other names: "walletId" is "--wallet". */
  flagOf?: Readonly<Record<string, string>> | undefined;
  /** The flags that were given, where other fields may be in a file. */
  given?: Flags | undefined;
};

/** The beginning of a sentence about a field. If the field is missing, it is the whole sentence. */
const sentence = /(?<=^|[.,] )([a-z]\w*)((?:\.\w+)*): (is missing\. It .+?\.(?= |$))?/g;
const quotes = /(?<= must be (text|a number)), (in|without) quotes/g;

/** An order in a flag is one word: a wallet is its id or its address. */
const inOneWord = ['from', 'into', 'source', 'wallet', 'wallets'];

/**
 * Names the flags in a refusal of an order, instead of the fields of its JSON. Returns any other
 * error as it is.
 */
export function inFlags(error: unknown, { flags, flagOf = {}, given }: FieldFlags): unknown {
  if (!(error instanceof BadOrderError)) return error;
  const message = error.message.replace(sentence, (...found) => {
    const [whole = '', field = '', inner = '', missing]: (string | undefined)[] = found;
    const own = flagOf[`${field}${inner}`];
    const flag = own ?? flagOf[field] ?? `--${inKebabCase(field)}`;
    const [usage, description] = flags.find(([one]) => one.split(' ')[0] === flag) ?? [];
    if (usage === undefined || (given && given[flagName(usage)] === undefined)) return whole;
    if (missing !== undefined)
      return `${flag}: is missing. Give ${usage}, ${description?.split('; ')[0]}.`;
    const isWhole = own !== undefined || inOneWord.includes(field);
    return `${flag}${isWhole ? '' : inner.replaceAll('.', ' ')}: `;
  });
  const told = given === undefined ? message.replace(quotes, '') : message;
  return new InputError(told, { cause: error });
}

/** "feeLevel" is "fee-level". */
function inKebabCase(field: string): string {
  return field.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
