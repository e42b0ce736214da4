import { setImmediate as turn } from 'node:timers/promises';
import { runInNewContext } from 'node:vm';
import { script } from '../../../src/console/page/script';

/** A form with a reason, as a page with several questions has several. */
const formWith = (reason: string) => ({ reason: { value: reason, focus() {} } });

const answered = { challenge: '', credentialIds: [], at: 'now', message: 'sent again' };

/** Words of a browser, which no person who pays reads with joy. */
const refusedByDevice = Object.assign(new Error('See: https://www.w3.org/TR/webauthn-2'), {
  name: 'NotAllowedError',
});
type Faults = { device?: Error; answer?: () => Promise<object> };

/** Runs the script of the pages, and returns what a click on a button sends. */
function page(first: object, live: object | null = null, faults: Faults = {}) {
  const sent: { path: string; body: Record<string, unknown> }[] = [];
  const heard = new Map<string, (event: object) => void>();
  const told = { dataset: {}, textContent: '' };
  const source = {
    readyState: 0,
    onerror: () => {},
    onopen: () => {},
    onmessage: (_: { data: string }) => {},
    close() {},
  };
  const timers: (() => void)[] = [];
  const loads: string[] = [];
  const answers: Promise<void>[] = [];
  function EventSource() {
    return source;
  }
  EventSource.CLOSED = 2;
  runInNewContext(script, {
    document: {
      body: { dataset: {} },
      // A document finds the first element of an id.
      getElementById: (id: string) => (id === 'told' ? told : first),
      querySelector: () => live,
      querySelectorAll: () => [],
      addEventListener: (name: string, hear: (event: object) => void) => heard.set(name, hear),
    },
    sessionStorage: { getItem: () => null, removeItem() {}, setItem() {} },
    location: { reload: () => loads.push('again') },
    setTimeout: (work: () => void) => timers.push(work),
    EventSource,
    atob,
    btoa,
    Uint8Array,
    navigator: {
      credentials: {
        get: async () => {
          if (faults.device) throw faults.device;
          return {
            rawId: new Uint8Array(1),
            response: {
              authenticatorData: new Uint8Array(1),
              clientDataJSON: new Uint8Array(1),
              signature: new Uint8Array(1),
            },
          };
        },
      },
    },
    fetch: async (path: string, { body }: { body: string }) => {
      sent.push({ path, body: JSON.parse(body) });
      await answers.pop();
      if (faults.answer) return faults.answer();
      return { ok: true, json: async () => answered };
    },
  });
  const click = async (form: object, dataset: object): Promise<void> => {
    const button = { form, dataset: { action: 'decide', path: '/approvals/a', ...dataset } };
    heard.get('click')?.({ target: { closest: () => button } });
    for (let left = 20; left > 0; left--) await turn();
  };
  /** Lets the time of all that waits come. */
  const wait = (): void => {
    for (const work of timers.splice(0)) work();
  };
  return { click, sent, source, told, wait, loads, answers };
}

it('a decision carries the reason of its own question, where a page has several', async () => {
  const [first, second] = [formWith('of the first'), formWith('of the second')];
  const { click, sent } = page(first);
  await click(second, { target: 'line/b#0', purpose: 'rejection' });
  expect(sent.at(-1)?.body).toMatchObject({ target: 'line/b#0', reason: 'of the second' });
});

it('an approval carries no reason, since the order would not show it', async () => {
  const { click, sent } = page(formWith(''));
  await click(formWith('typed'), { target: 'line/b#0', purpose: 'approval' });
  expect(sent.at(-1)?.body).toMatchObject({ target: 'line/b#0', reason: '' });
});

it('a rejection without a reason of its own is not sent', async () => {
  const { click, sent, told } = page(formWith('of the first'));
  await click(formWith(' '), { target: 'line/b#0', purpose: 'rejection' });
  expect(sent).toEqual([]);
  expect(told.textContent).toBe('Give the reason why you reject it.');
});

it('a page that hears nothing more says so, and one that comes back does not', () => {
  const words = 'This page is not live any more. Load it again.';
  const live = { dataset: { live: '/orders/a/live', isOver: 'false' } };
  const back = page(formWith(''), live);
  for (let at = 0; at < 5; at++) {
    back.source.onerror();
    back.source.onopen();
  }
  expect(back.told.textContent).toBe('');
  const away = page(formWith(''), live);
  for (let at = 0; at < 3; at++) away.source.onerror();
  expect(away.told.textContent).toBe(words);
  const out = page(formWith(''), live);
  out.source.readyState = 2;
  out.source.onerror();
  expect(out.told.textContent).toBe(words);
});

it('a page whose order has ended is loaded again, and not while somebody acts on it', async () => {
  const live = {
    dataset: { live: '/payouts/a/live', isOver: 'false' },
    querySelectorAll: () => [],
  };
  const { source, click, wait, loads, answers, told } = page(formWith(''), live);
  source.onmessage({ data: '{"isOver":true}' });
  let answer = () => {};
  answers.push(
    new Promise((resolve) => {
      answer = resolve;
    }),
  );
  await click(formWith(''), { action: 'retry', line: 'a' });
  wait();
  expect(loads).toEqual([]);
  answer();
  for (let left = 20; left > 0; left--) await turn();
  expect(told.textContent).toBe('sent again');
  wait();
  expect(loads).not.toEqual([]);
});

const lost = (): Promise<never> => Promise.reject(new TypeError('Failed to fetch'));
const ofProxy = async () => ({ ok: false, status: 502, json: async () => JSON.parse('<html>') });
it.each([
  ['a device that does not answer', { device: refusedByDevice }, 'Nothing was signed'],
  ['a console that is away', { answer: lost }, 'Load the page again, and look'],
  ['a proxy that answers by itself', { answer: ofProxy }, 'Load the page again, and look'],
])('%s is told in words that say what to do', async (_, faults, words) => {
  const { click, told } = page(formWith(''), null, faults);
  await click(formWith(''), { target: 'line/b#0', purpose: 'approval' });
  expect(told.textContent).toContain(words);
  expect(told.textContent).not.toMatch(/w3|fetch|JSON/);
});
