import { lackingAttributes, registerAttributes } from '../../client/temporal/searchAttributes';
import { type AttributeName, attributeNames } from '../../orders/progress/status';
import {
  broken,
  fine,
  firstLine,
  fixed,
  type HealthFinding,
  skipped,
  type TemporalToCheck,
} from '../finding';

const name = 'Search attributes';
const without = 'orders run, but cannot be listed by them';

/** Checks the search attributes that list orders. With --fix it registers missing ones. */
export async function checkSearchAttributes(asked: TemporalToCheck): Promise<HealthFinding> {
  const { connection, config } = asked;
  const { namespace } = config;
  try {
    const { missing, mistyped } = await lackingAttributes(connection, namespace);
    if (mistyped.length > 0) return ofOtherType(namespace, mistyped);
    if (missing.length === 0) return fine(name, `all ${attributeNames.length} are registered`);
    if (asked.isFixing) return await register(asked, missing);
    return broken(
      name,
      `${missing.join(', ')} missing; ${without}`,
      `Register them with "steadfast doctor --fix", or: ${createCommand(namespace, missing)}`,
    );
  } catch (error) {
    return skipped(name, `not checked: ${firstLine(error)}`);
  }
}

async function register(
  { connection, config }: TemporalToCheck,
  missing: readonly AttributeName[],
): Promise<HealthFinding> {
  const { namespace } = config;
  try {
    await registerAttributes(connection, namespace, missing);
    return fixed(
      name,
      `registered ${missing.join(', ')}. A worker that is running uses them once it is restarted`,
    );
  } catch (error) {
    return broken(
      name,
      `${missing.join(', ')} missing, and could not be registered from here: ${firstLine(error)}`,
      `Have somebody register them who may: ${createCommand(namespace, missing)}`,
    );
  }
}

function ofOtherType(namespace: string, mistyped: readonly AttributeName[]): HealthFinding {
  const flags = mistyped.map((attribute) => `--name ${attribute}`).join(' ');
  return broken(
    name,
    `${mistyped.join(', ')} registered with another type than Keyword; ${without}`,
    'If nothing else uses them, remove them and run "steadfast doctor --fix": ' +
      `temporal operator search-attribute remove -n ${namespace} ${flags} --yes`,
  );
}

function createCommand(namespace: string, names: readonly AttributeName[]): string {
  const flags = names.map((attribute) => `--name ${attribute} --type Keyword`).join(' ');
  return `temporal operator search-attribute create -n ${namespace} ${flags}`;
}
