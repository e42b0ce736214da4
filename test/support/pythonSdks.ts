import { type Python, pythonPackages } from './package/pythonPackages';

export type { Python };

export const pythonSdkVersion = '9.6.0';
const packages = [
  'circle-configurations',
  'circle-developer-controlled-wallets',
  'circle-smart-contract-platform',
].map((name) => `${name}==${pythonSdkVersion}`);

/** Python with the vendor's SDKs. Undefined, with a line on stderr, where it cannot have them. */
export function pythonSdks(): Python | undefined {
  return pythonPackages('python-sdks', packages);
}
