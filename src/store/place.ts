/** The form of a database's URL, as errors tell it. */
export const postgresExample = 'postgres://<user>:<password>@<host>:<port>/<database>';

/**
 * A special character of a password must be in percent form, so that none of it can be mistaken for
 * the server's name.
 */
const form = /^postgres(?:ql)?:\/\/(?:[^@/?#]*@)?([^@/?#]+)\/([^@/?#]+)(?:\?[^@#]*)?$/;

/** True for the URL of a database, right or wrong. Any other place of a ledger is a file's path. */
export function isPostgres(place: string): boolean {
  return /^postgres(ql)?:/.test(place);
}

/** The server and the database of a URL, without user and password. Undefined for a wrong URL. */
export function shownUrl(url: string): string | undefined {
  const [, server, database] = form.exec(url) ?? [];
  return server === undefined ? undefined : `postgres://${server}/${database}`;
}
