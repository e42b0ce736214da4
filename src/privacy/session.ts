import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

/** What a browser holds instead of the token, once it has shown that its user knows it. */
export type Sessions = {
  /** Whether a text is the token; takes as long whatever the text is. */
  isToken(text: string): boolean;
  /** The value of a cookie that holds for some hours. */
  begin(nowMs: number): string;
  /** Whether a cookie's value was made by `begin`, and holds still. */
  isValid(value: string, nowMs: number): boolean;
};

export const sessionHours = 8;

/** Nothing is kept: a session is the time of its end, signed with what the token makes. */
export function createSessions(token: string): Sessions {
  const key = createHash('sha256').update(`steadfast codec session ${token}`).digest();
  const signed = (end: string): string =>
    `${end}.${createHmac('sha256', key).update(end).digest('hex')}`;
  return {
    isToken: (text) => isSame(text, token),
    begin: (nowMs) => signed(String(nowMs + sessionHours * 3_600_000)),
    isValid: (value, nowMs) => {
      const [end = ''] = value.split('.');
      return isSame(value, signed(end)) && Number(end) > nowMs;
    },
  };
}

/** Compares digests, since a comparison of texts tells how long the part is that they share. */
function isSame(one: string, other: string): boolean {
  const [left, right] = [one, other].map((text) => createHash('sha256').update(text).digest());
  return left !== undefined && right !== undefined && timingSafeEqual(left, right);
}
