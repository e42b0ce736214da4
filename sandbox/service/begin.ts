import { ConfigError } from '../../src/variables';
import type { SandboxConfig } from '../config/config';
import { keptSecrets, readSecrets, type Secrets } from '../config/secrets';
import { changeSettings, type Settings } from '../config/settings';
import type { Faults } from '../faults/faults';
import { otherSnapshotVersion } from '../store/snapshotFile';
import type { Records } from '../store/store';
import { readFacts, type SnapshotFacts } from './snapshotFacts';

type Beginning = {
  config: SandboxConfig;
  records: Records;
  settings: Settings;
  faults: Faults;
  /** The hash of the contracts that chains begin with here. */
  codeHash: string;
};

/**
 * Begins from a snapshot, where one is named and nothing is recorded yet. Else goes on with what is
 * there. What the variables say of secrets and settings counts for more than what a snapshot does.
 */
export async function begin(beginning: Beginning): Promise<Secrets> {
  const { config, records, settings, faults } = beginning;
  const isNew = records.isEmpty();
  if (config.snapshot === undefined || !isNew) {
    return readSecrets(config, keptSecrets(config.dataDir, { isNew }));
  }
  const facts = readNamed(config.snapshot, beginning.codeHash);
  // Kept before the records are, which are nothing without them.
  const secrets = await readSecrets(config, facts.secrets);
  records.load(config.snapshot);
  const { settleMs, blockMs, rateLimit, ...others } = facts.settings;
  changeSettings(settings, others);
  faults.resume(facts.faults);
  return secrets;
}

function readNamed(file: string, codeHash: string): SnapshotFacts {
  try {
    const facts = readFacts(file);
    if (facts.contracts !== codeHash) throw otherSnapshotVersion(file);
    return facts;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ConfigError(`SANDBOX_SNAPSHOT: ${reason}`);
  }
}
