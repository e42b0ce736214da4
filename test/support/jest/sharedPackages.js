// @ts-check
const { createRequire, isBuiltin } = require('node:module');
const path = require('node:path');
const vm = require('node:vm');
const { default: JestRuntime } = require('jest-runtime');

// Packages load some files of ours by their path.
require('../../../scripts/typescript');
require('./quickWorkflows');

/**
 * Loads packages as Node does, once for all test files of a process. Jest would load them again for
 * each file, into a context of its own. Our own sources are loaded again for each test file.
 */
class SharedPackages extends JestRuntime {
  /** @param {ConstructorParameters<typeof JestRuntime>} given */
  constructor(...given) {
    super(...given);
    const { executor } = /** @type {any} */ (this);
    executor.compile = (/** @type {string} */ code, /** @type {string} */ filename) =>
      vm.compileFunction(code, executor.injectedModuleParameters, {
        filename,
        importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
      });
  }

  /**
   * @override
   * @template T
   * @param {string} from
   * @param {string} name
   * @returns {T}
   */
  requireModuleOrMock(from, name) {
    const isPackage = !name.startsWith('.') && !path.isAbsolute(name) && !isBuiltin(name);
    if (isPackage && name !== '@jest/globals') return createRequire(from)(name);
    return super.requireModuleOrMock(from, name);
  }
}

module.exports = SharedPackages;
