import { blockchains } from '../../../custody/objects/blockchain';
import { shown } from '../../../orders/input/shown';
import { dueFault } from './dueFault';

/** Columns that say where or when a line is to be paid. They are checked, and not kept. */
export const conditionFields = ['network', 'date'] as const;
export type Condition = (typeof conditionFields)[number];

const places = 'pay|payment|payout|destination|to|recipient|receiver|payee|wallet|token|block';
const times = 'date|day|time|on|at|for|after';

/** Names of columns without spaces, _ and -. */
const forms: Readonly<Record<Condition, RegExp>> = {
  network: new RegExp(`^(${places})?(chain|network)(id|name)?$`),
  date: new RegExp(
    `^(date|notbefore|(due|scheduled)(${times})?|` +
      `(pay|payment|payout|(requested)?execution|schedule|value|send|release|start)(${times}))$`,
  ),
};

/** The condition that the name of a column means. Undefined for any other column. */
export function conditionOf(plain: string): Condition | undefined {
  return conditionFields.find((field) => forms[field].test(plain));
}

/** The fault of a line that is to be paid elsewhere or later. */
export function conditionFault(field: Condition, value: unknown): string | undefined {
  const text = String(value).trim();
  if (field === 'network') return isHere(text) ? undefined : `${shown(value)} ${elsewhere}`;
  const fault = dueFault(text.replace(/^(\d{4}-\d\d-\d\d) (?=\d)/, '$1T'));
  return fault && `${shown(value)} ${fault} ${sooner}`;
}

const sooner = 'If all may be paid before, have the column ignored with --ignore.';

/** The names of chains that are paid on: in full, without "-TESTNET", and by number. */
const here = new Set(
  Object.entries(blockchains).flatMap(([name, { chainId }]) => {
    const plain = name.toLowerCase();
    return [plain.replaceAll('-', ''), plain.replace('-testnet', ''), String(chainId)];
  }),
);

function isHere(text: string): boolean {
  return here.has(
    text
      .toLowerCase()
      .replace(/^eip155:/, '')
      .replace(/[\s_-]/g, ''),
  );
}

const elsewhere =
  `is another chain: lines are paid on ${Object.keys(blockchains).join(', ')} alone. ` +
  'Take the line out of this file.';

const paidWords = 'status|state|outcome|paid|sent|settled|done|confirmed|cancelled|canceled';
const heldWords = 'approved|approval|onhold|hold|skip|skipped';
const riskyRates = 'rate|exchangerate|fxrate|conversionrate|multiplier';

const risks = [
  {
    form: new RegExp(
      `^(is|pay|payment|payout|transaction|tx)?(${paidWords}|${heldWords})(${times})?$`,
    ),
    fault:
      'may say that lines are paid already, or are not to be paid. Leave only the lines that are ' +
      'to be paid now. Then',
  },
  {
    form: /^((transaction|tx|payment)?hash|(transaction|tx)(id)?|(date|time)(paid|sent))$/,
    fault:
      'may say that lines are paid already. Leave only the lines that are to be paid now. Then',
  },
  {
    form: new RegExp(`^((token)?decimals|units?|denomination(currency)?|${riskyRates})$`),
    fault:
      "may change what the amounts mean. See that they are in the token's own units, and only then",
  },
];

/** The reason why a column is not left alone lightly. Undefined for any other column. */
export function riskOf(plain: string): string | undefined {
  return risks.find(({ form }) => form.test(plain))?.fault;
}
