/** A request that the console refuses. Its message is a sentence for the person who looks. */
export class Refusal extends Error {
  override readonly name = 'Refusal';

  constructor(
    readonly statusCode: 400 | 401 | 403 | 404 | 409 | 413 | 421 | 429 | 503,
    message: string,
  ) {
    super(message);
  }
}
