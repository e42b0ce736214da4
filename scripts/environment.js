// @ts-check
/** Variables of the caller that could point a private run at a real deployment. */
const foreign = /^(TEMPORAL|CUSTODY|STEADFAST|SANDBOX|CHAIN)_/;

/**
 * The caller's environment without the settings of any real deployment.
 * @param {NodeJS.ProcessEnv} env
 * @returns {NodeJS.ProcessEnv}
 */
function privateEnvironment(env) {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !foreign.test(name)));
}

/** Removes the settings of any real deployment from this process, and so from all its children. */
function enterPrivateEnvironment() {
  for (const name of Object.keys(process.env)) if (foreign.test(name)) delete process.env[name];
}

module.exports = { privateEnvironment, enterPrivateEnvironment };
