/** The page on which a person gives the token, so that Temporal UI in the same browser decodes. */
export function loginPage(words: string): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Steadfast codec server</title>
<style>
  body { font: 16px sans-serif; max-width: 32em; margin: 4em auto }
  input { width: 100% }
</style>
<h1>Codec server</h1>
<p>${words}</p>
<form method="post" action="/login">
  <p><label>Token <input type="password" name="token" autocomplete="off" required></label></p>
  <p><button>Sign in</button></p>
</form>
</html>
`;
}

/** The page runs nothing, loads nothing, and is shown in no other page. */
export const pageHeaders: Readonly<Record<string, string>> = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
};
