import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { createSteadfast } from '../../../src/client/client';
import type { Schedule } from '../../../src/orders/schedule/schedule';
import { setUp } from '../../support/jest/setUp';
import { runOrders } from '../../support/orders';
import { scriptedCustody, transferOrder } from '../../support/service/scriptedCustody';
import { testKeys } from '../../writer/signing/keys';

const rent: Schedule = {
  kind: 'transferStablecoin',
  order: { ...transferOrder, reference: 'rent of {period}' },
  cron: '0 9 1 * *',
  period: 'yyyy-MM',
};
/** No period lies between the two. */
const nothing = { start: new Date('2026-03-02'), end: new Date('2026-03-03') };
const { sign } = testKeys()('backend');

const orders = setUp(() => runOrders(scriptedCustody({})));

/** A new schedule, by a client that signs. */
async function create() {
  const { client, taskQueue } = orders;
  const signing = { sign, entity: 'e1', blockchain: 'ARC-TESTNET' };
  const { schedules } = createSteadfast({ client, taskQueue, signing });
  const id = `change-${randomUUID().slice(0, 8)}`;
  await schedules.create(id, rent);
  return { id, schedules, handle: client.schedule.getHandle(id) };
}

describe('a schedule', () => {
  it('that is paused stays so, although somebody asks for something else at that moment', async () => {
    const { id, schedules, handle } = await create();
    for (let round = 0; round < 10; round += 1) {
      await Promise.all([schedules.pause(id, 'the flat is empty'), handle.backfill(nothing)]);
      expect(await schedules.describe(id)).toMatchObject({ paused: 'the flat is empty' });
      await Promise.all([schedules.resume(id), handle.backfill(nothing)]);
      expect(await schedules.describe(id)).not.toHaveProperty('paused');
    }
    await schedules.remove(id);
  });

  it('whose creator was killed says when it can be created again, and then is', async () => {
    const { id, schedules, handle } = await create();
    await handle.update((shown) => {
      return { ...shown, state: { paused: true, note: 'Its periods are being checked.' } };
    });
    const { createdAt } = (await handle.describe()).info;
    const again = new Date(createdAt.getTime() + 60_000);
    while (!(await handle.describe()).state.paused) await sleep(50);
    await expect(schedules.create(id, rent)).rejects.toThrow(
      `id: the schedule "${id}" is being created, since ${createdAt.toISOString()}. If its creator ` +
        `was killed, create it again after ${again.toISOString()}.`,
    );
    const clock = jest.spyOn(Date, 'now').mockReturnValue(again.getTime() + 1);
    await schedules.create(id, rent).finally(() => clock.mockRestore());
    expect(await schedules.describe(id)).not.toHaveProperty('paused');
    await schedules.remove(id);
  });

  it('that is paused while a person looks at what is to be signed stays so', async () => {
    const { id, schedules } = await create();
    const isAgreed = async () => {
      await schedules.pause(id, 'the flat is empty');
      return true;
    };
    expect(await schedules.sign(id, { isAgreed })).toHaveLength(100);
    expect(await schedules.describe(id)).toMatchObject({ paused: 'the flat is empty' });
    await schedules.remove(id);
  });

  it('that is paused right after it was created or signed is paused', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { id, schedules, handle } = await create();
      await handle.pause();
      expect((await handle.describe()).state).toMatchObject({ paused: true });
      await handle.unpause();
      await schedules.sign(id, { schedule: rent });
      await handle.pause();
      expect((await handle.describe()).state).toMatchObject({ paused: true });
      await schedules.remove(id);
    }
  });
});
