import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'undici';
import { z } from 'zod';
import { bareEnvironment } from '../../src/local/bareEnvironment';
import { startReady } from '../../src/local/startReady';

/** A page of a browser without a window. It runs expressions in the page itself. */
export type Page = {
  open(url: string): Promise<void>;
  run(expression: string): Promise<unknown>;
  /** Waits until the expression holds, for at most 20 s, and throws after that. */
  until(expression: string): Promise<void>;
  /** Gives the page a device that makes passkeys, and says yes for its user at once. */
  addDevice(): Promise<void>;
  /** Clicks the visible element that matches and has exactly this text. */
  click(selector: string, text: string): Promise<void>;
  /** Presses a key, such as Tab. */
  press(key: string): Promise<void>;
  /** Shows pages in a window of this width, in light or dark colours. */
  show(view: View): Promise<void>;
  /** Returns a part of the page as a PNG: down to the given height, or the frame. */
  picture(part: { height: number } | Frame): Promise<Buffer>;
};

/** In CSS pixels, from the page's upper left corner. */
export type Frame = { x: number; y: number; width: number; height: number };

/** The window of a page, in CSS pixels, and the colours that its reader prefers. */
export type View = { width: number; colors: 'light' | 'dark' };

export type Browser = { page: Page; stop(): Promise<void> };

/** Sends one command of the DevTools protocol, and resolves with its result. */
type Send = (method: string, params?: object) => Promise<Record<string, unknown>>;

const usual: View = { width: 1440, colors: 'light' };
const heightMax = 1_100;
const readyTimeoutMs = 30_000;
/** The browser is killed after this time, whatever happens. */
const usualLifeMs = 120_000;
const lookMs = 200;
const looksMax = 100;

/** A laptop with a finger on it. */
const device = {
  hasResidentKey: true,
  hasUserVerification: true,
  isUserVerified: true,
  automaticPresenceSimulation: true,
};

/** The numbers of keys that have no letter. */
const keyCodes: Readonly<Record<string, number>> = { Tab: 9, Enter: 13 };

const target = z.object({ webSocketDebuggerUrl: z.string() });
const reply = z.object({
  id: z.number().optional(),
  result: z.record(z.string(), z.unknown()).optional(),
  error: z.object({ message: z.string() }).optional(),
});
const evaluated = z.object({
  result: z.object({ value: z.unknown().optional() }),
  exceptionDetails: z.object({ text: z.string() }).loose().optional(),
});

/** Starts Chromium, by its name on PATH, with a new user profile, and opens one page. */
export async function startBrowser(program: string, lifeMs = usualLifeMs): Promise<Browser> {
  const folder = mkdtempSync(join(tmpdir(), 'steadfast-browser-'));
  const forget = (): void => rmSync(folder, { recursive: true, force: true });
  const { child, line } = await startReady({
    command: [program, ...flags(folder)],
    env: bareEnvironment(),
    ready: /DevTools listening on ws:\/\/([^/]+)\//,
    timeoutMs: readyTimeoutMs,
  }).catch((error) => {
    forget();
    throw error;
  });
  const limit = setTimeout(() => void child.kill(), lifeMs);
  const stop = async (): Promise<void> => {
    clearTimeout(limit);
    await child.kill();
    forget();
  };
  try {
    const created = await fetch(`http://${line[1]}/json/new`, { method: 'PUT' });
    const send = await attach(target.parse(await created.json()).webSocketDebuggerUrl);
    return { page: await newPage(send), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function flags(folder: string): string[] {
  return [
    '--headless',
    '--remote-debugging-port=0',
    `--user-data-dir=${folder}`,
    '--no-first-run',
    '--hide-scrollbars',
    '--disable-gpu',
    '--disable-dev-shm-usage',
    // Chromium does not sandbox its pages as root. They are our own, from this machine.
    ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
  ];
}

/** A command that waits for its reply, or for the end of the connection. */
type Waiting = { resolve(told: z.output<typeof reply>): void; reject(error: Error): void };

async function attach(url: string): Promise<Send> {
  const socket = new WebSocket(url);
  const waiting = new Map<number, Waiting>();
  socket.addEventListener('message', ({ data }) => {
    const told = reply.parse(JSON.parse(String(data)));
    if (told.id !== undefined) waiting.get(told.id)?.resolve(told);
  });
  await new Promise<void>((resolve, reject) => {
    socket.addEventListener('open', () => resolve());
    socket.addEventListener('close', () => {
      const error = new Error(`The browser at ${url} has gone.`);
      reject(error);
      for (const one of waiting.values()) one.reject(error);
    });
  });
  let sent = 0;
  return async (method, params = {}) => {
    const id = ++sent;
    const told = await new Promise<z.output<typeof reply>>((resolve, reject) => {
      waiting.set(id, { resolve, reject });
      socket.send(JSON.stringify({ id, method, params }));
    });
    waiting.delete(id);
    if (told.error !== undefined) throw new Error(`${method}: ${told.error.message}`);
    return told.result ?? {};
  };
}

async function newPage(send: Send): Promise<Page> {
  let { width } = usual;
  const show: Page['show'] = async (view) => {
    width = view.width;
    const size = { width, height: heightMax, deviceScaleFactor: 1, mobile: false };
    await send('Emulation.setDeviceMetricsOverride', size);
    const colors = { name: 'prefers-color-scheme', value: view.colors };
    await send('Emulation.setEmulatedMedia', { features: [colors] });
  };
  await show(usual);
  const run: Page['run'] = async (expression) => {
    const params = { expression, awaitPromise: true, returnByValue: true };
    const { result, exceptionDetails } = evaluated.parse(await send('Runtime.evaluate', params));
    if (exceptionDetails !== undefined) throw new Error(JSON.stringify(exceptionDetails));
    return result.value;
  };
  const until: Page['until'] = async (expression) => {
    for (let look = 0; look < looksMax; look++) {
      if (await run(`Boolean(${expression})`).catch(() => false)) return;
      await sleep(lookMs);
    }
    const text = await run('document.body.innerText');
    throw new Error(`The page never came to ${expression}. It shows:\n${text}`);
  };
  return {
    run,
    until,
    show,
    press: async (key) => {
      const code = { key, code: key, windowsVirtualKeyCode: keyCodes[key] ?? 0 };
      for (const type of ['keyDown', 'keyUp']) {
        await send('Input.dispatchKeyEvent', { type, ...code });
      }
    },
    click: async (selector, text) => {
      const matches = `[...document.querySelectorAll(${JSON.stringify(selector)})]`;
      const isIt = `(one) => one.checkVisibility() && one.innerText.trim() === '${text}'`;
      await until(`${matches}.some(${isIt})`);
      await run(`${matches}.find(${isIt}).click()`);
    },
    addDevice: async () => {
      await send('WebAuthn.enable');
      const options = { protocol: 'ctap2', transport: 'internal', ...device };
      await send('WebAuthn.addVirtualAuthenticator', { options });
    },
    open: async (url) => void (await send('Page.navigate', { url })),
    picture: async (part) => {
      const clip = { x: 0, y: 0, width, ...part, scale: 1 };
      // Only a part that is longer than the window needs to be painted for it.
      const captureBeyondViewport = part.height > heightMax;
      const how = { format: 'png', clip, captureBeyondViewport };
      const { data } = await send('Page.captureScreenshot', how);
      return Buffer.from(String(data), 'base64');
    },
  };
}
