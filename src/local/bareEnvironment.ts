/** A child's environment from scratch: where programs and folders are, and what is given. */
export function bareEnvironment(given: Record<string, string> = {}): NodeJS.ProcessEnv {
  const { PATH, HOME, TMPDIR, XDG_CACHE_HOME } = process.env;
  return { ...definedOnly({ PATH, HOME, TMPDIR, XDG_CACHE_HOME }), ...given };
}

function definedOnly(values: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
