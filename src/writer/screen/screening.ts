import type { CheckId } from '../../checks/checks';
import type { CustodyApi } from '../../custody/endpoints';
import { twinsOn } from '../../custody/objects/money';
import { remembering } from '../../custody/sharing';
import type { CallEffect } from '../call/effects';
import type { Policy, Screen } from '../file/policy';
import { recipientsOf } from '../judge';
import { addressList } from './addressList';
import { askService } from './askService';
import { askTokens } from './askToken';
import { askUrl } from './askUrl';
import type { Screener, Verdict } from './verdict';

/** A rule's verdict about one address. With a check, it is what that check has found. */
export type Screened = Verdict & {
  rule: Pick<Screen, 'id' | 'beyond'>;
  address: string;
  check?: CheckId;
};

/** An answer of another party counts this long. Meanwhile people may be approving. */
const keptMs = 600_000;
const keptMax = 10_000;

/**
 * Asks all screens of a policy about every address that a write concerns. Returns the verdicts that
 * are not clear, the worst first.
 */
export function screeningOf(
  custody: Pick<CustodyApi, 'screenAddress' | 'queryContract'>,
  { policy, blockchain }: { policy: Pick<Policy, 'screens' | 'tokens'>; blockchain: string },
): (effects: readonly CallEffect[]) => Promise<Screened[]> {
  const named = [...policy.tokens.keys()].flatMap((address) =>
    address === '' ? twinsOn(blockchain) : [address],
  );
  const tokens = [...new Set(named)];
  const screenerOf = ({ by }: Screen): Screener => {
    if (by.kind === 'list') return addressList(by.path, by.hours);
    if (by.kind === 'token') return kept(askTokens(custody, { tokens, blockchain }));
    if (by.kind === 'service') return kept(askService(custody, blockchain));
    return kept(askUrl(by.url, blockchain));
  };
  const screeners = policy.screens.map((rule) => ({ rule, ask: screenerOf(rule) }));
  return async (effects) => {
    const addresses = [...new Set(effects.flatMap(recipientsOf))];
    const asked = addresses.flatMap((address) =>
      screeners.map(async ({ rule, ask }) => ({ ...(await ask(address)), rule, address })),
    );
    return worstFirst(await Promise.all(asked));
  };
}

/** The verdicts that are not clear, the worst first: match, unavailable, review. */
export function worstFirst(verdicts: readonly Screened[]): Screened[] {
  const worst = ['match', 'unavailable', 'review'] as const;
  return worst.flatMap((kind) => verdicts.filter((one) => one.kind === kind));
}

/** Keeps the answers of a screener for a while. What is no answer is asked again. */
function kept(ask: Screener): Screener {
  const isKept = ({ kind }: Verdict): boolean => kind !== 'unavailable';
  const remembered = remembering<Verdict>({ ms: keptMs, most: keptMax, isKept });
  return (address) => remembered(address, () => ask(address));
}
