import { openFile } from '../../store/openFile';
import { type Contents, statement } from '../../store/work';
import { newToken, tokenDigest } from '../signIn/sessions';

/** The file of invitations cannot be used. */
class InvitationError extends Error {
  override readonly name = 'InvitationError';
}

const validMs = 3_600_000;

const contents: Contents = {
  name: 'file of invitations',
  schema: 'steadfast_console',
  // "console" as bytes, as far as a number has room.
  lockId: 0x63_6f_6e_73_6f_6c,
  tables: [
    `CREATE TABLE IF NOT EXISTS invitations (
      token TEXT PRIMARY KEY, person TEXT NOT NULL, "untilMs" BIGINT NOT NULL, made TEXT)`,
  ],
  indexes: [],
  newestTable: 'invitations',
  whenDamaged: 'Move it away and invite again: it has nothing but invitations.',
  Fault: InvitationError,
};

const sql = {
  add: statement('INSERT INTO invitations VALUES (?, ?, ?, NULL)'),
  find: statement('SELECT person, "untilMs", made FROM invitations WHERE token = ?'),
  use: statement(`UPDATE invitations SET made = ?
    WHERE token = ? AND made IS NULL AND "untilMs" > ? RETURNING person`),
  forget: statement('DELETE FROM invitations WHERE "untilMs" <= ?'),
};

/** The lines of a person's two passkeys, as the policy has them. */
export type Made = { signIn: string; approval: string };

/** An invitation: whom it is for, until when, and what was made of it. */
export type Invitation = { person: string; untilMs: number; made: Made | undefined };

export type Invitations = ReturnType<typeof openInvitations>;

/** Opens the file of invitations. The console and the command line share it. */
export function openInvitations(path: string, now = Date.now) {
  const { database } = openFile(path, contents, () => sql.forget.run(now() - validMs));
  return {
    /** Invites a person for an hour. Returns the secret of the link, which is not kept. */
    invite: async (person: string): Promise<{ token: string; untilMs: number }> => {
      const [token, untilMs] = [newToken(), now() + validMs];
      await database.change(sql.add.run(tokenDigest(token), person, untilMs));
      return { token, untilMs };
    },
    find: async (token: string): Promise<Invitation | undefined> => {
      const row = await database.read(sql.find.get(tokenDigest(token)));
      if (row === undefined) return undefined;
      const made = row.made === null ? undefined : JSON.parse(String(row.made));
      return { person: String(row.person), untilMs: Number(row.untilMs), made };
    },
    /** Uses an invitation up. False for one that is unknown, used or late. */
    use: async (token: string, made: Made): Promise<boolean> => {
      const values = [JSON.stringify(made), tokenDigest(token), now()];
      return (await database.change(sql.use.get(...values))) !== undefined;
    },
    close: database.close,
  };
}
