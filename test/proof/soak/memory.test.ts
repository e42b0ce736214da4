import { judgeMemory, type Sample } from '../../../proof/soak/memory';

/** A heap that climbs from its floor and falls back to it, ten looks at a time. */
function sawtooth(floorAt: (look: number) => number): Sample[] {
  return Array.from({ length: 60 }, (_, look) => {
    const climbed = (look % 10) * 20;
    return {
      pid: 1,
      atMs: look * 10_000,
      handles: 20,
      heapMebibytes: floorAt(look) + climbed,
      residentMebibytes: 500,
    };
  });
}

function judge(stretch: Sample[]) {
  return judgeMemory({ samples: new Map([['worker', stretch]]) });
}

it('takes a heap for flat that always falls back to the same floor', () => {
  expect(judge(sawtooth(() => 300))).toEqual({
    agreements: [
      'memory of worker is flat: its heap holds 1.000 in the last third of what it did in the middle one, and all of it 0 MiB more',
    ],
    findings: [],
  });
});

it('finds a heap whose floor rises', () => {
  expect(judge(sawtooth((look) => 300 + 3 * look)).findings).toEqual([
    'memory of worker grows: its heap holds 1.154 in the last third of what it did in the middle one, and all of it 0 MiB more',
  ]);
});

it('finds what grows outside of the heap', () => {
  const stretch = sawtooth(() => 300).map((sample, look) => ({
    ...sample,
    residentMebibytes: 500 + look * 5,
  }));
  expect(judge(stretch).findings).toEqual([
    'memory of worker grows: its heap holds 1.000 in the last third of what it did in the middle one, and all of it 100 MiB more',
  ]);
});

it('says nothing of a process that was watched for less than five minutes', () => {
  expect(judge(sawtooth(() => 300).slice(0, 29))).toEqual({ agreements: [], findings: [] });
});
