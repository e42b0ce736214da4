/** A flag, a file or a variable cannot be used. */
export class InputError extends Error {
  override readonly name = 'InputError';
}
