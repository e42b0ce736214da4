import { judgeMemory, type Sample } from '../../soak/memory';

/** A heap that climbs from its floor and falls back to it, ten looks at a time. */
function sawtooth(floorAt: (look: number) => number): Sample[] {
  return Array.from({ length: 60 }, (_, look) => {
    const climbed = (look % 10) * 20;
    return { pid: 1, atMs: look * 10_000, mebibytes: floorAt(look) + climbed, handles: 20 };
  });
}

function judge(stretch: Sample[]) {
  return judgeMemory({ samples: new Map([['worker', stretch]]) });
}

it('takes a heap for flat that always falls back to the same floor', () => {
  expect(judge(sawtooth(() => 300))).toEqual({
    agreements: [
      "memory of worker is flat: the floor of the last third is 1.000 of the middle third's",
    ],
    findings: [],
  });
});

it('finds a heap whose floor rises', () => {
  expect(judge(sawtooth((look) => 300 + 3 * look)).findings).toEqual([
    "memory of worker grows: the floor of the last third is 1.154 of the middle third's",
  ]);
});

it('says nothing of a process that was watched for less than five minutes', () => {
  expect(judge(sawtooth(() => 300).slice(0, 29))).toEqual({ agreements: [], findings: [] });
});
