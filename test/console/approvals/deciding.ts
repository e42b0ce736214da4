import type { TestPasskey, Touch } from '../../writer/signing/passkeys';
import type { Visited } from '../visited';

type Purpose = 'approval' | 'rejection';
type Own = Record<string, string>;
type Office = Visited & { people: { ann: { approval: TestPasskey } } };

/** The changes of an attack between the steps of a decision. */
export type Deciding = {
  purpose?: Purpose;
  by?: TestPasskey;
  how?: Touch;
  between?: () => void;
  sent?: Purpose;
  reason?: string;
};

/** Decides on the question of a page, as its script does. */
export function deciding(office: Office, path: string) {
  const target = 'transfer/1#0';
  /** The digest in the buttons of a page. */
  const digestShown = async (own: Own): Promise<string> => {
    const page = await office.ask(path, { headers: own });
    const [, digest = ''] = /data-digest="([0-9a-f]{64})"/.exec(page.body) ?? [];
    return digest;
  };
  const decide = async (own: Own, given: Deciding & { digest?: string } = {}) => {
    const { purpose = 'approval', by = office.people.ann.approval, how = {} } = given;
    const { between = () => {}, sent = purpose, reason = 'known' } = given;
    const shown = { target, digest: given.digest ?? (await digestShown(own)), purpose };
    const asked = await office.post(`${path}/challenge`, shown, own);
    if (asked.statusCode !== 200) return asked;
    const { challenge, at, expires } = asked.json();
    between();
    const made = by.answer(how.challenge ?? challenge, how);
    return office.post(path, { ...shown, purpose: sent, reason, at, expires, made }, own);
  };
  return { digestShown, decide };
}
