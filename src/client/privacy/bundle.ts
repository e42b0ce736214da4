import { readFileSync } from 'node:fs';
import type { DataConverter } from '@temporalio/common';
import { ConfigError } from '../../variables';

/** The class in failureConverter.ts, by name: it is in a bundle, or it is not. */
const mark = 'SteadfastPrivateFailures';

/** True when this converter encrypts payloads. It then encrypts failures, too. */
export function isPrivate(dataConverter: DataConverter | undefined): boolean {
  return dataConverter?.failureConverterPath !== undefined;
}

/**
 * Refuses workflows that were bundled for the other case, since what a failure says would then be
 * in clear, or hidden for nothing. Throws a ConfigError.
 */
export function refuseUnfitBundle(
  bundle: { code: string } | { codePath: string },
  dataConverter: DataConverter | undefined,
): void {
  const code = 'code' in bundle ? bundle.code : readFileSync(bundle.codePath, 'utf8');
  const wanted = isPrivate(dataConverter);
  if (code.includes(mark) === wanted) return;
  const [have, need] = wanted
    ? ['leaves what failures say in clear', 'payloads are private here']
    : ['encodes what failures say', 'payloads are not private here'];
  throw new ConfigError(
    `STEADFAST_WORKFLOW_BUNDLE: the bundle ${have}, and ${need} (STEADFAST_CODEC_KEYS). ` +
      `Build it again with "npx --no-install steadfast bundle <file>${wanted ? ' --private' : ''}", or unset it.`,
  );
}
