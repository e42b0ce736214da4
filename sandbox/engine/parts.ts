import type { Chain } from '../chain/chain';
import type { Settings } from '../config/settings';
import type { Tokens } from '../store/records/tokens';
import type { Store } from '../store/store';
import type { Keys } from './keys';

/** Everything that the engine works with. Each step takes the part that it needs. */
export type EngineParts = {
  store: Store;
  chain: Chain;
  keys: Keys;
  tokens: Tokens;
  /** As they are now: the control plane changes them. */
  settings: Settings;
};
