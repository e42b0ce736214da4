// @ts-check
const { createRequire, isBuiltin } = require('node:module');
const { compileFunction } = require('node:vm');
const { default: Runtime } = require('jest-runtime');

/** Packages of which each test file has its own. Temporal's worker has one runtime, for good. */
const ofEachFile = ['@jest/globals', 'expect', 'jest-mock', '@temporalio/worker'];

/**
 * Loads our own modules for each test file, as Jest does, and packages once for each process. Jest
 * loads both for each file, which took a quarter of the processor time of all tests.
 */
class SharedPackages extends Runtime {
  /** @param {ConstructorParameters<typeof Runtime>} args */
  constructor(...args) {
    super(...args);
    /** @type {any} */
    const { executor } = this;
    executor.compile = (/** @type {string} */ source, /** @type {string} */ filename) =>
      compileFunction(source, executor.injectedModuleParameters, { filename });
  }

  /**
   * @override
   * @param {string} from
   * @param {string} name
   */
  requireModuleOrMock(from, name) {
    const isOurs = name.startsWith('.') || name.startsWith('/');
    const isOfEachFile = ofEachFile.some((own) => name === own || name.startsWith(`${own}/`));
    if (isOurs || isBuiltin(name) || isOfEachFile) {
      return super.requireModuleOrMock(from, name);
    }
    return createRequire(from)(name);
  }
}

module.exports = { __esModule: true, default: SharedPackages };
