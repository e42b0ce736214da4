import type { CustodyApi } from '../../src/custody/endpoints';
import { serviceClock } from '../../src/writer/clock';
import type { Ledger } from '../../src/writer/ledger/ledger';
import { openLedger } from '../../src/writer/ledger/openLedger';
import { inSandbox, settled } from '../support/sandbox';
import { limitOf, transferFrom, writerOf } from './writer';

const hourMs = 3_600_000;
const yearMs = 365 * 24 * hourMs;
const isFull = 'The window of the rule out is full';
const wrong = /The clock of this machine is 9000[01] s ahead of/;
const open: Ledger[] = [];
const sandbox = inSandbox();
afterEach(() => Promise.all(open.splice(0).map((ledger) => ledger.close())));

/** A machine whose clock is off, or jumps by 25 hours when a method is called. */
type Machine = { offMs: number; jumpsAt?: keyof CustodyApi };

/** A client whose answers tell their time, as the hosted service's do. */
function telling(heard: (date: string) => void, machine: Machine): CustodyApi {
  return new Proxy(sandbox.client, {
    get: (client, name: keyof CustodyApi) => async (input: never, how: never) => {
      if (name === machine.jumpsAt) machine.offMs = 25 * hourMs;
      const answer = await client[name](input, how);
      heard(new Date().toUTCString());
      return answer;
    },
  });
}

/** A writer with a clock that can be set, and a wallet whose window is 9 USDC in 24 hours, with fees. */
async function writerWithClock() {
  const wallet = await sandbox.usedWallet('EOA');
  const machine: Machine = { offMs: 0 };
  const now = () => Date.now() + machine.offMs;
  const clock = serviceClock(now);
  const ledger = openLedger(':memory:', { keyLifetimeMs: hourMs, clock: now });
  open.push(ledger);
  const custody = telling(clock.heard, machine);
  const rules = [limitOf(wallet, { maxFeePerWindow: '1' })];
  const { api } = writerOf(custody, rules, { ledger, clock });
  const send = async (amount: string): Promise<string> => {
    const { input, how } = transferFrom(wallet, amount);
    return (await api.createTransfer(input, how)).id;
  };
  const pay = async (amount: string): Promise<void> => {
    await settled(api, await send(amount));
  };
  const paid = async (): Promise<bigint> => {
    const sent = await sandbox.transfers({ from: wallet.address });
    return sent.reduce((sum, { value }) => sum + value, 0n);
  };
  return { machine, ledger, api, send, pay, paid };
}

describe('a clock that jumps', () => {
  it('while nothing is sent empties no window, whatever is read meanwhile', async () => {
    const { machine, ledger, pay, paid } = await writerWithClock();
    await pay('5');
    await pay('3.9');
    machine.offMs = 25 * hourMs;
    await ledger.openWrites(9, { withFound: true });
    await ledger.heldWrites(9);
    const window = { scope: { rule: 'out' }, money: 'native', hours: 24 };
    await ledger.usage(window);
    await ledger.full({ ...window, rule: 'out', max: 1n, amount: 1n });
    machine.offMs = 0;
    await expect(pay('5')).rejects.toThrow(isFull);
    expect(await paid()).toBe(8_900_000n);
  });

  it('between two answers of the service lets nothing out', async () => {
    const { machine, pay, paid } = await writerWithClock();
    await pay('5');
    await pay('3.9');
    machine.offMs = 25 * hourMs;
    await expect(pay('5')).rejects.toThrow(wrong);
    machine.offMs = 0;
    await expect(pay('5')).rejects.toThrow(isFull);
    expect(await paid()).toBe(8_900_000n);
  });

  it('during the reads of a call holds that call back', async () => {
    const { machine, pay, paid } = await writerWithClock();
    machine.jumpsAt = 'estimateTransfer';
    await expect(pay('5')).rejects.toThrow(wrong);
    expect(await paid()).toBe(0n);
    machine.offMs = 0;
    await pay('5');
    expect(await paid()).toBe(5_000_000n);
  });

  it('by a year for a moment fills no window for a year', async () => {
    const { machine, ledger, api, send, pay } = await writerWithClock();
    const id = await send('5');
    machine.offMs = yearMs;
    await ledger.openWrites(9);
    await settled(api, id);
    machine.offMs = 0;
    await settled(api, id);
    await pay('3.9');
    const words = await pay('1').catch(({ message }) => String(message));
    const [, until = ''] =
      /There is room for 1\.00\d+, with its fee, at (\S+)\.$/.exec(words ?? '') ?? [];
    expect(Date.parse(until) - Date.now()).toBeLessThan(24 * hourMs + 1);
  });
});
