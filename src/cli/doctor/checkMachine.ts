import { broken, fine, type HealthFinding } from '../../health/finding';

/** The oldest supported Node.js: major and minor. */
const nodeVersionMin = [20, 19] as const;

/** Checks that this Node.js is new enough. */
export function checkNodeVersion(version: string = process.versions.node): HealthFinding {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [majorMin, minorMin] = nodeVersionMin;
  if (major > majorMin || (major === majorMin && minor >= minorMin)) {
    return fine('Node.js', version);
  }
  const wanted = `${majorMin}.${minorMin}`;
  return broken('Node.js', `${version} is too old`, `Install Node.js ${wanted} or newer.`);
}
