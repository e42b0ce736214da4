import type { AbiFunction, AbiParameter as AbiType } from 'abitype';
import { isElementary } from './elementary';

/** The longest signature that an order may have. */
const charactersMax = 1_000;
/** More lists and structs within each other than a type in use has. A decoder reads each again. */
export const levelsMax = 16;

const states = ['pure', 'view', 'nonpayable', 'payable'] as const;
const word = '[a-zA-Z$_][a-zA-Z0-9$_]*';
const form = new RegExp(
  `^(?<name>${word})\\((?<takes>.*?)\\)(?: external| public)?` +
    `(?: (?<state>${states.join('|')}))?(?: returns ?\\((?<gives>.*)\\))?$`,
);
/** A type, its lists, the place of its data, and its name. */
const parameter = new RegExp(
  '^(\\(.*\\)|[a-z]+\\d*|address payable)((?:\\[(?:0|[1-9]\\d*)?\\])*)' +
    `(?: (?:calldata|memory|storage))?(?: ${word})?$`,
);

/**
 * The function of a signature, such as "mintTo(address,uint256)" or "decimals() returns (uint8)".
 * Names of parameters are left out. Undefined for any other text. Callers send one type after the
 * other, so nothing is kept of them.
 */
export function functionOf(signature: string): AbiFunction | undefined {
  if (signature.length > charactersMax) return undefined;
  const { name, takes = '', gives = '', state } = form.exec(signature)?.groups ?? {};
  const [inputs, outputs] = [takes, gives].map((text) => (text === '' ? [] : typesIn(text)));
  if (name === undefined || inputs === undefined || outputs === undefined) return undefined;
  const stateMutability = states.find((known) => known === state) ?? 'nonpayable';
  return { type: 'function', name, inputs, outputs, stateMutability };
}

function typesIn(text: string, levels = levelsMax): AbiType[] | undefined {
  const types = partsOf(text).map((part) => typeOf(part.trim(), levels));
  return types.every((type) => type !== undefined) ? types : undefined;
}

/** Undefined for an unknown type, and for one that has more levels than a decoder reads. */
function typeOf(text: string, levels: number): AbiType | undefined {
  const [, base = '', lists = ''] = parameter.exec(text) ?? [];
  const left = levels - lists.split('[').length;
  if (left < 0) return undefined;
  if (base.startsWith('(')) {
    const components = typesIn(base.slice(1, -1), left);
    return components && { type: `tuple${lists}`, components };
  }
  const type = base.replace(' payable', '');
  if (!isElementary(type)) return undefined;
  return { type: `${type}${/int$/.test(type) ? '256' : ''}${lists}` };
}

/** The parts between the commas that stand in no parentheses. */
function partsOf(text: string): string[] {
  const parts: string[] = [];
  let [depth, begin] = [0, 0];
  for (const [at, letter] of text.split('').entries()) {
    if (letter === '(') depth++;
    if (letter === ')') depth--;
    if (letter !== ',' || depth !== 0) continue;
    parts.push(text.slice(begin, at));
    begin = at + 1;
  }
  return [...parts, text.slice(begin)];
}
