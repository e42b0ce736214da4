import { crc32, deflateSync, inflateSync } from 'node:zlib';

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** Enough for text, its edges and the colours of a style sheet. */
const colorsMax = 64;
/** Colours that agree in so many bits of each channel are one. */
const keptBits = 5;

type Pixels = { width: number; height: number; channels: 3 | 4; bytes: Buffer };

/** Writes a picture of a page again, with few colours: about a third of its size. */
export function smallPng(picture: Buffer): Buffer {
  const pixels = readPng(picture);
  const { palette, indexOf } = paletteOf(pixels);
  const { width, height, channels, bytes } = pixels;
  const rows = Buffer.alloc(height * (width + 1));
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      rows[y * (width + 1) + x + 1] = indexOf(colorAt(bytes, (y * width + x) * channels));
    }
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 3, 0, 0, 0], 8);
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('PLTE', palette),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}

function colorAt(bytes: Buffer, at: number): number {
  return ((bytes[at] ?? 0) << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0);
}

/** The most frequent colours. Each other one becomes the nearest of these. */
function paletteOf({ bytes, channels }: Pixels) {
  const shift = 8 - keptBits;
  const part = (color: number, at: number): number => ((color >> at) & 0xff) >> shift;
  const keyOf = (color: number): number =>
    (part(color, 16) << 16) | (part(color, 8) << 8) | part(color, 0);
  const counts = new Map<number, { color: number; count: number }>();
  for (let at = 0; at < bytes.length; at += channels) {
    const color = colorAt(bytes, at);
    const known = counts.get(keyOf(color));
    if (known === undefined) counts.set(keyOf(color), { color, count: 1 });
    else known.count += 1;
  }
  const sorted = [...counts.values()].sort((one, other) => other.count - one.count);
  const kept = sorted.slice(0, colorsMax).map(({ color }) => color);
  const known = new Map<number, number>();
  const indexOf = (color: number): number => {
    const before = known.get(color);
    if (before !== undefined) return before;
    const distances = kept.map((one) => distance(one, color));
    const index = distances.indexOf(Math.min(...distances));
    known.set(color, index);
    return index;
  };
  const parts = kept.flatMap((color) => [color >> 16, (color >> 8) & 0xff, color & 0xff]);
  return { palette: Buffer.from(parts), indexOf };
}

function distance(one: number, other: number): number {
  const parts = [16, 8, 0].map((shift) => ((one >> shift) & 0xff) - ((other >> shift) & 0xff));
  return parts.reduce((sum, part) => sum + part * part, 0);
}

/** Reads a PNG as Chromium writes it: eight bits, not interlaced, with or without alpha. */
function readPng(file: Buffer): Pixels {
  const width = file.readUInt32BE(16);
  const height = file.readUInt32BE(20);
  const channels = file[25] === 6 ? 4 : 3;
  const parts: Buffer[] = [];
  for (let at = signature.length; at < file.length; ) {
    const length = file.readUInt32BE(at);
    const name = file.toString('latin1', at + 4, at + 8);
    if (name === 'IDAT') parts.push(file.subarray(at + 8, at + 8 + length));
    at += length + 12;
  }
  const rows = inflateSync(Buffer.concat(parts));
  return { width, height, channels, bytes: unfiltered(rows, { width, height, channels }) };
}

function unfiltered(rows: Buffer, { width, height, channels }: Omit<Pixels, 'bytes'>): Buffer {
  const stride = width * channels;
  const bytes = Buffer.alloc(stride * height);
  for (let y = 0; y < height; y += 1) {
    const filter = rows[y * (stride + 1)] ?? 0;
    for (let x = 0; x < stride; x += 1) {
      const at = y * stride + x;
      const left = x < channels ? 0 : (bytes[at - channels] ?? 0);
      const above = y === 0 ? 0 : (bytes[at - stride] ?? 0);
      const corner = x < channels || y === 0 ? 0 : (bytes[at - stride - channels] ?? 0);
      const raw = rows[y * (stride + 1) + 1 + x] ?? 0;
      bytes[at] = raw + predicted(filter, { left, above, corner });
    }
  }
  return bytes;
}

type Neighbours = { left: number; above: number; corner: number };

/** The five filters of PNG. */
function predicted(filter: number, { left, above, corner }: Neighbours): number {
  if (filter === 0) return 0;
  if (filter === 1) return left;
  if (filter === 2) return above;
  if (filter === 3) return (left + above) >> 1;
  const estimate = left + above - corner;
  const [l, a, c] = [left, above, corner].map((one) => Math.abs(estimate - one));
  if (l === undefined || a === undefined || c === undefined) return 0;
  if (l <= a && l <= c) return left;
  return a <= c ? above : corner;
}
