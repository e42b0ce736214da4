import { spawnSync } from 'node:child_process';

/** What Python's examples are run by: python3, or the one that is named, such as that of a venv. */
const interpreter = process.env.PYTHON_WITH_SDK ?? 'python3';
const packages = ['developer_controlled_wallets', 'smart_contract_platform', 'utils'];

/** The interpreter that has the vendor's packages for Python; undefined where there is none. */
export function pythonWithSdk(): string | undefined {
  const code = packages.map((name) => `from circle.web3 import ${name}`).join('\n');
  return spawnSync(interpreter, ['-c', code]).status === 0 ? interpreter : undefined;
}
