import type { Answer, Visited } from '../../console/visited';
import type { TestPasskey } from '../../writer/signing/passkeys';

/** Asks a console that is a process, as the script of its pages does. */
export function visitorOf(origin: () => string) {
  const fetched = async (path: string, how: RequestInit): Promise<Answer & { cookie: string }> => {
    const answer = await fetch(`${origin()}${path}`, { ...how, redirect: 'manual' });
    const body = await answer.text();
    const [cookie = ''] = (answer.headers.get('set-cookie') ?? '').split(';');
    return { statusCode: answer.status, body, json: () => JSON.parse(body), cookie };
  };
  const posted = (path: string, body: object, headers: Record<string, string> = {}) =>
    fetched(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: origin(), ...headers },
      body: JSON.stringify(body),
    });
  const ask: Visited['ask'] = (path, { headers = {} } = {}) => fetched(path, { headers });
  return {
    ask,
    post: posted,
    /** Signs a person in. Returns the headers of their requests. */
    signIn: async (passkey: TestPasskey): Promise<Record<string, string>> => {
      const { challenge } = (await posted('/sign-in/challenge', {})).json();
      const { cookie } = await posted('/sign-in', { challenge, made: passkey.answer(challenge) });
      const { body } = await fetched('/approvals', { headers: { cookie } });
      const [, csrf = ''] = /data-csrf="([^"]+)"/.exec(body) ?? [];
      return { cookie, 'x-csrf': csrf };
    },
  };
}
