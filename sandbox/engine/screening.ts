import type { Fate } from '../faults/faultRule';
import type { ScreeningMatch } from '../store/records/records';

type Rule = {
  name: string;
  riskScore: ScreeningMatch['reasons'][number]['riskScore'];
  category: string;
  actions: ScreeningMatch['actions'];
};

const denyAndFreeze: Rule['actions'] = ['DENY', 'REVIEW', 'FREEZE_WALLET'];
const deny: Rule['actions'] = ['DENY', 'REVIEW'];

const ownBlocklist: Rule = {
  name: 'Your blocklist',
  riskScore: 'BLOCKLIST',
  category: 'UNSUPPORTED',
  actions: deny,
};

/**
 * The nine rules that the hosted service has on its test networks, by the last digits of the
 * destination. Its current pages want eight nines before them, as here. Older pages have four
 * digits alone, which would meet one address in some thousand by chance.
 */
const rules: Readonly<Record<string, Rule>> = {
  '999999999999': {
    name: 'Circle’s Sanctions Blocklist',
    riskScore: 'BLOCKLIST',
    category: 'SANCTIONS',
    actions: denyAndFreeze,
  },
  '999999998888': {
    name: 'Frozen User Wallet',
    riskScore: 'BLOCKLIST',
    category: 'FROZEN',
    actions: deny,
  },
  '999999997777': ownBlocklist,
  '999999998999': severe('Sanctions', 'SANCTIONS'),
  '999999998899': severe('Terrorist Financing', 'TERRORIST_FINANCING'),
  '999999998889': severe('CSAM', 'CSAM'),
  '999999997779': severe('Illicit Behavior', 'ILLICIT_BEHAVIOR'),
  '999999997666': high('Illicit Behavior', 'ILLICIT_BEHAVIOR'),
  '999999997766': high('Gambling', 'GAMBLING'),
};

const suffixLength = 12;

function severe(risk: string, category: string): Rule {
  return {
    name: `Severe ${risk} Risk (Owner)`,
    riskScore: 'SEVERE',
    category,
    actions: denyAndFreeze,
  };
}

/** Looked at later by a person. The transaction goes on. */
function high(risk: string, category: string): Rule {
  return { name: `High ${risk} Risk (Owner)`, riskScore: 'HIGH', category, actions: ['REVIEW'] };
}

/**
 * The match of screening: the rule for the destination, or the customer's own blocklist if the
 * fault plan wants a denial.
 */
export function screen(row: {
  destinationAddress?: string;
  contractAddress?: string;
  fate?: Fate;
}): ScreeningMatch | undefined {
  const { destinationAddress, contractAddress, fate } = row;
  const address = (destinationAddress ?? contractAddress ?? '').toLowerCase();
  const found = destinationAddress === undefined ? undefined : rules[address.slice(-suffixLength)];
  const rule = fate === 'denied' ? ownBlocklist : found;
  if (rule === undefined) return undefined;
  const { name, riskScore, category, actions } = rule;
  return {
    ruleName: name,
    actions,
    reasons: [
      {
        source: 'ADDRESS',
        sourceValue: address,
        riskScore,
        riskCategories: [category],
        type: 'OWNERSHIP',
      },
    ],
  };
}
