/**
 * Sends hostile files to the application, as photos of things: mutated pictures of each format, bombs, files that are
 * two things at once, and names. No answer is a 5xx, nothing is shown in place that was not made here, no process ends
 * but that of the pictures, and the service takes no more memory than it should.
 */
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { hiddenFields } from 'seeother/testing';
import { PHOTOS } from '../application/testing/photos.ts';
import {
  type RunningApplication,
  startApplication,
} from '../application/testing/start-application.ts';
import { createRandom } from './random.ts';

/** Of one form. */
const FILES = 20;
/** Kilobytes. */
const MAX_MEMORY = 400_000;

const ACCOUNT = { username: 'ada', password: 'correct horse battery' };
const SCRIPT = Buffer.from('<!doctype html><script>alert(document.cookie)</script>');
const NAMES = [
  'photo.jpg',
  '../../etc/passwd',
  'a\u202egpj.exe',
  '"><img src=x onerror=alert(1)>.png',
  `${'ä'.repeat(300)}.jpg`,
  'photo.jpg.html',
  '.htaccess',
  'x.svg',
];

export async function sendHostileFiles(count: number, seed = 1) {
  const numbers = createRandom(seed);
  const random = (below: number) => Math.floor(numbers() * below);
  const site = await startApplication({ SAMPLE_ITEMS: '0', BODY_LIMIT: '10000000' });
  const found = { failed: 0, shownInPlace: 0, processesEnded: 0, excess: 0 };
  const report = { files: 0, refused: 0, photos: 0, documents: 0 };
  try {
    const visitor = await register(site);
    const items: string[] = [];
    for (let sent = 0; sent < count; sent += FILES) {
      const files = Array.from({ length: Math.min(FILES, count - sent) }, () => makeFile(random));
      const { status, location } = await visitor.add(files);
      report.files += files.length;
      if (status >= 500) found.failed++;
      else if (status !== 303) {
        // One of them is refused with a sentence: the others are taken one by one.
        for (const file of files) {
          const alone = await visitor.add([file]);
          if (alone.status >= 500) found.failed++;
          else if (alone.status === 303) items.push(alone.location);
          else report.refused++;
        }
      } else items.push(location);
    }
    for (const item of items) {
      for (const { address, isPhoto } of await visitor.readFiles(item)) {
        report[isPhoto ? 'photos' : 'documents']++;
        const answer = await visitor.get(address);
        const bytes = new Uint8Array(await answer.arrayBuffer());
        if (answer.status >= 500) found.failed++;
        const isInPlace = !/^attachment/.test(answer.headers.get('content-disposition') ?? '');
        // Made here: a JPEG that ends where its picture ends, without data of the camera.
        const text = Buffer.from(bytes).toString('latin1');
        const isOurs =
          answer.headers.get('content-type') === 'image/jpeg' &&
          text.startsWith('\xff\xd8\xff\xdb') &&
          text.endsWith('\xff\xd9') &&
          !/exif|script/i.test(text);
        if (isInPlace && !isOurs) found.shownInPlace++;
      }
    }
    if (site.process.exitCode !== null) found.processesEnded++;
    const memory = readPeak(site);
    if (memory > MAX_MEMORY) found.excess++;
    return { ...report, megabytes: Math.round(memory / 1_000), ...found };
  } finally {
    await site.stop();
  }
}

/** The largest memory of the service, in kilobytes. */
function readPeak({ process: { pid } }: RunningApplication): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]);
}

async function register({ url }: RunningApplication) {
  let cookie = '';
  const get = (path: string) => fetch(url + path, { headers: { cookie } });
  const send = (path: string, body: string | ArrayBuffer, type: string) =>
    fetch(url + path, {
      method: 'POST',
      headers: { cookie, 'content-type': type },
      body,
      redirect: 'manual',
    });
  const plain = 'application/x-www-form-urlencoded';
  const registered = await send('/register', new URLSearchParams(ACCOUNT).toString(), plain);
  cookie = registered.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
  const hidden = hiddenFields(await (await get('/items/new')).text());
  return {
    get,
    async add(files: readonly File[]) {
      const data = new FormData();
      const fields = { ...hidden, _once: crypto.randomUUID(), name: 'Thing', button: 'save' };
      for (const [name, value] of Object.entries(fields)) data.append(name, value);
      for (const file of files) data.append('files', file);
      const encoded = new Response(data);
      const type = encoded.headers.get('content-type') ?? '';
      const answer = await send('/items', await encoded.arrayBuffer(), type);
      await answer.text();
      return { status: answer.status, location: answer.headers.get('location') ?? '' };
    },
    /** Once no picture is being made any more. */
    async readFiles(item: string) {
      for (;;) {
        const page = await (await get(item)).text();
        const isWaiting = /being made|class="no-photo"/.test(page);
        if (isWaiting) {
          await sleep(200);
          continue;
        }
        const find = (pattern: RegExp, isPhoto: boolean) =>
          [...page.matchAll(pattern)].map(([, address = '']) => ({ address, isPhoto }));
        return [
          ...find(/<img[^>]* src="(\/items\/[^"]+)"/g, true),
          ...find(/href="(\/items\/\d+\/files\/\d+\/[^"]+)" download/g, false),
        ];
      }
    },
  };
}

type Random = (below: number) => number;

function makeFile(random: Random): File {
  const kinds = [mutate, mutate, mutate, cut, join, bomb, pretend];
  const make = kinds[random(kinds.length)] ?? mutate;
  const name = NAMES[random(NAMES.length)] ?? 'photo.jpg';
  const type = ['image/jpeg', 'image/svg+xml', 'text/html', ''][random(4)] ?? '';
  return new File([make(random) as Uint8Array<ArrayBuffer>], name, { type });
}

function pick(random: Random): Uint8Array {
  const all = Object.values(PHOTOS);
  return (all[random(all.length)] ?? PHOTOS.jpeg).slice();
}

/** Some bytes are others. */
function mutate(random: Random): Uint8Array {
  const bytes = pick(random);
  const begin = random(3) === 0 ? 0 : 12;
  for (let count = 1 + random(8); count > 0; count--) {
    const at = begin + random(bytes.length - begin);
    bytes[at] = [0, 255, 127, 128, random(256)][random(5)] ?? 0;
  }
  return bytes;
}

function cut(random: Random): Uint8Array {
  const bytes = pick(random);
  return bytes.subarray(0, 1 + random(bytes.length));
}

/** A picture that is something else, too. */
function join(random: Random): Uint8Array {
  const parts = [pick(random), SCRIPT, Buffer.from('PK\u{3}\u{4}%PDF-1.7\n<svg/>'), pick(random)];
  return Buffer.concat([parts[0] ?? SCRIPT, parts[1 + random(3)] ?? SCRIPT]);
}

/** A few bytes that say they are as large as one likes. */
function bomb(random: Random): Uint8Array {
  const bytes = random(2) === 0 ? PHOTOS.png.slice() : PHOTOS.jpeg.slice();
  const view = new DataView(bytes.buffer);
  if (bytes[0] === 0x89) {
    view.setUint32(16, 1 + random(100_000));
    view.setUint32(20, 1 + random(100_000));
    return bytes;
  }
  const at = Buffer.from(bytes).indexOf(Buffer.of(0xff, 0xc0));
  view.setUint16(at + 5, 1 + random(65_535));
  view.setUint16(at + 7, 1 + random(65_535));
  return bytes;
}

/** It is no picture, whatever its beginning says. */
function pretend(random: Random): Uint8Array {
  const heads = ['GIF89a', '\xff\xd8\xff', '\x89PNG\r\n\x1a\n', 'RIFF\x10\0\0\0WEBPVP8 ', '<svg/>'];
  return Buffer.concat([Buffer.from(heads[random(heads.length)] ?? '', 'latin1'), SCRIPT]);
}
