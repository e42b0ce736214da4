/** A workflow that none of our own bundles has. */
export async function greet(): Promise<string> {
  return 'bundled before';
}
