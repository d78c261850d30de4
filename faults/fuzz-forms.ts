/**
 * Sends mutated bodies of both encodings to a form with groups, rows, choices and files. It starts from bodies as a
 * browser sends them, and changes their fields, their bytes, or both. Each answer must be that of a form: never a 5xx.
 *
 * Its time is that of the CPU. A garbage collection is no cost of one body, so a slow body is sent again, and its
 * lowest time counts.
 */
import { createMemoryStores, createSite, defineForm, formPage, html } from 'seeother';
import {
  buttonField,
  checkboxField,
  choiceField,
  choiceGroup,
  choicesField,
  fieldGroup,
  fileField,
  filesField,
  hiddenField,
  listField,
  rows,
  textField,
  wholeNumberField,
} from 'seeother/fields';
import { request } from 'seeother/testing';
import { createRandom } from './random.ts';

/** Milliseconds of CPU time. A body that takes longer than this each time is slow. */
const SLOW = 100;
/** The stores are in memory, so they are thrown away after this many bodies. */
const BODIES_OF_A_SITE = 500;
/** Bytes of a body, or of its texts. */
const LIMIT = 200_000;

/** Whole numbers below a limit. */
type Random = (below: number) => number;

/** `failed` are answers with a 5xx and promises that are rejected, and `milliseconds` is the longest time of a body. */
export async function fuzzForms(count: number, seed = 1) {
  const numbers = createRandom(seed);
  const random: Random = (below) => Math.floor(numbers() * below);
  const report = { urlencoded: 0, multipart: 0, carriedOut: 0, changed: 0, refused: 0 };
  const found = { failed: 0, slow: 0, milliseconds: 0 };
  let site = createBookings();
  for (let at = 0; at < count; at++) {
    if (at % BODIES_OF_A_SITE === 0) site = createBookings();
    const encoding = random(4) === 0 ? 'multipart' : 'urlencoded';
    const { type, bytes } = makeBody(encoding, random);
    report[encoding]++;
    let { status, time } = await send(site, encoding, type, bytes);
    for (let again = 0; again < 5 && time > SLOW; again++)
      time = Math.min(time, (await send(site, encoding, type, bytes)).time);
    found.milliseconds = Math.max(found.milliseconds, Math.ceil(time));
    if (status === 303) report.carriedOut++;
    else if (status === 200) report.changed++;
    else if (status < 500) report.refused++;
    else found.failed++;
    if (time > SLOW) found.slow++;
    // The same seed makes the same body again.
    if (status >= 500 || time > SLOW)
      process.stderr.write(`Body ${at}, ${type}: status ${status}, ${time.toFixed()} ms\n`);
  }
  return { ...report, ...found };
}

type Bookings = ReturnType<typeof createBookings>;

async function send(
  site: Bookings,
  encoding: Encoding,
  type: string,
  bytes: Uint8Array,
): Promise<{ readonly status: number; readonly time: number }> {
  const start = process.cpuUsage();
  const headers = { 'content-type': type };
  let status = 500;
  try {
    ({ status } = await site.handle(request('POST', `/${encoding}`, bytes, { headers })));
  } catch (error) {
    process.stderr.write(`${(error as Error).stack}\n`);
  }
  const { user, system } = process.cpuUsage(start);
  return { status, time: (user + system) / 1_000 };
}

type Encoding = 'urlencoded' | 'multipart';

function createBookings() {
  const site = createSite(createMemoryStores(), {
    log: false,
    errors: {
      report({ status, error }) {
        if (status >= 500) process.stderr.write(`${(error as Error | undefined)?.stack}\n`);
      },
    },
    forms: { limit: LIMIT },
  });
  const person = {
    name: textField({ label: 'Name', required: 'Enter a name', maxLength: 40 }),
    age: wholeNumberField({ label: 'Age', min: 0, max: 150, default: null }),
    vegan: checkboxField({ label: 'Vegan' }),
    meal: choiceField({ label: 'Meal', choices: toChoices(['soup', 'pie']), as: 'radio' }),
  };
  const fields = {
    revision: hiddenField({ inDraft: true }),
    title: textField({ label: 'Title', required: 'Enter a title', maxLength: 80 }),
    notes: textField({ label: 'Notes', maxLength: 5_000, multiline: true }),
    tags: listField({ label: 'Tags', entry: 'Tag', maxEntryLength: 20, maxEntries: 9 }),
    topics: choicesField({ label: 'Topics', choices: toChoices(['a', 'b', 'c']), max: 2 }),
    address: fieldGroup({
      label: 'Address',
      fields: {
        street: textField({ label: 'Street', maxLength: 40 }),
        country: choiceField({ label: 'Country', choices: toChoices(['at', 'de', 'ch']) }),
      },
    }),
    contact: choiceGroup({
      label: 'Contact',
      choices: {
        post: { label: 'By post' },
        phone: {
          label: 'By phone',
          fields: {
            number: textField({ label: 'Number', required: 'Enter a number', maxLength: 20 }),
          },
        },
      },
    }),
    button: buttonField({
      buttons: [
        { value: 'save', label: 'Save' },
        { value: 'draft', label: 'Save as draft', checks: ['title'] },
      ],
    }),
  };
  const people = { label: 'Participants', name: 'Participant', max: 200, ordered: true };
  const flat = defineForm({ ...fields, people: rows({ ...people, fields: person }) });
  const photo = fileField({ label: 'Photo', maxSize: 5_000 });
  const filed = defineForm({
    ...fields,
    people: rows({ ...people, fields: { ...person, photo } }),
    paper: fileField({ label: 'Paper', maxSize: 5_000, types: ['application/pdf'] }),
    photos: filesField({ label: 'Photos', maxFiles: 3, maxSize: 5_000 }),
  });
  const carry = async () => ({ path: '/done' as never, message: 'Saved.' });
  const around = { button: null, send: { save: carry, draft: carry } };
  formPage(site, '/urlencoded', flat, { ...around, show: ({ formHtml }) => html`${formHtml}` });
  formPage(site, '/multipart', filed, { ...around, show: ({ formHtml }) => html`${formHtml}` });
  return site;
}

function toChoices<const Value extends string>(values: readonly Value[]) {
  return values.map((value) => ({ value, label: value.toUpperCase() }));
}

/** One field of a body; of a file, `text` is the content. */
interface Sent {
  name: string;
  text: string;
  file?: string;
}

function makeBody(
  encoding: Encoding,
  random: Random,
): { readonly type: string; readonly bytes: Buffer } {
  const fields = fillForm(encoding, random);
  const changes = random(4) === 0 ? 0 : 1 + random(4);
  for (let change = 0; change < changes; change++) changeField(fields, random);
  const boundary = random(50) === 0 ? pick(random, BOUNDARIES) : '----a1b2c3';
  const whole =
    encoding === 'urlencoded' ? encodePairs(fields) : encodeParts(fields, boundary, random);
  const flips = random(3) === 0 ? 1 + random(4) : 0;
  let bytes = whole;
  for (let flip = 0; flip < flips; flip++) bytes = changeBytes(bytes, random);
  const type =
    encoding === 'urlencoded'
      ? 'application/x-www-form-urlencoded'
      : `multipart/form-data; boundary=${boundary}`;
  return { type, bytes };
}

/** A form as a browser sends it. */
function fillForm(encoding: Encoding, random: Random): Sent[] {
  const count = random(300) === 0 ? random(210) : random(4);
  const fields: Sent[] = [
    { name: '_once', text: `key-${random(2 ** 31)}` },
    { name: 'revision', text: '7' },
    { name: 'title', text: 'A weekend in the hills' },
    { name: 'notes', text: 'First line\r\nSecond line' },
    { name: 'tags', text: 'walks, Zoë, 🎉' },
    { name: 'topics', text: 'a' },
    { name: 'topics', text: 'c' },
    { name: 'address.street', text: 'Elm Street 5' },
    { name: 'address.country', text: 'at' },
    { name: 'contact', text: 'phone' },
    { name: 'contact.phone.number', text: '+43 1 234' },
  ];
  for (let row = 0; row < count; row++) {
    fields.push(
      { name: `people.${row}`, text: 'row' },
      { name: `people.${row}.name`, text: 'Ada' },
      { name: `people.${row}.age`, text: String(random(150)) },
      { name: `people.${row}.vegan`, text: 'on' },
      { name: `people.${row}.meal`, text: 'pie' },
    );
    if (encoding === 'multipart')
      fields.push({ name: `people.${row}.photo`, text: 'GIF89a', file: 'a.gif' });
  }
  if (encoding === 'multipart')
    fields.push({ name: 'paper', text: '%PDF-1.7 text', file: 'paper.pdf' });
  fields.push({ name: 'button', text: random(5) === 0 ? 'draft' : 'save' });
  return fields;
}

/** Names that no page has written, and the buttons that change rows. */
const NAMES = [
  ...words(`__proto__ constructor toString people people. . people.0. .title people.__proto__.name
    people.1000.name people.1000000000.name people.01.name people.999.name people.7.name.x
    people.3.__proto__ people.-1.name people[0][name] people.０.name address address.__proto__ contact.post
    contact.post.x contact.none.number title.x title.title _change _once _x save.x topics revision paper
    people.0.photo people.0.photo.x`),
  ...['', 'title\0', 'a'.repeat(3_000), 'a.'.repeat(3_000)],
];
const TEXTS = [
  ...words(`% %zz <script> "'> &amp; ,,,, NaN -0 1e9 0x1 ٣ +5 1,5 Infinity on ΑΣ İ ß ﬀ row save post phone __proto__
    constructor {} [] null A add key:abc ../x C:\\x a/b . .. {"key":"../../etc/passwd","name":"a","size":1}`),
  ...['add people', 'remove people.0', 'remove people.1', 'up people.1', 'up people.0'],
  ...['add address', 'remove paper', 'remove people.0.photo', 'add __proto__', 'up people'],
  ...['remove people.__proto__', 'remove people.0.name', 'add  people', 'remove contact.phone'],
  ...[
    'add people.0.people',
    'a b',
    '',
    ' ',
    '\0',
    '\r\n\r\n',
    '\u{feff}',
    '\u{2028}',
    '9'.repeat(400),
  ],
];
/** Rarer, so that a million bodies take minutes. */
const LONG_TEXTS = [
  ...['x'.repeat(6_000), 'é'.repeat(3_000), 'x\u{301}'.repeat(900), `x${'\u{301}'.repeat(3_000)}`],
  ...['🎉'.repeat(2_000), ','.repeat(4_000), ' '.repeat(5_000), '\r'.repeat(3_000)],
  ...['a'.repeat(150_000), '%'.repeat(60_000), 'a,'.repeat(60_000)],
];
const BOUNDARIES = [
  ...words(`a - -- " a;b a'()+_,./:=?`),
  ...['"a b"', '', 'x'.repeat(70), 'x'.repeat(200)],
];
const TYPES = [
  ...words('text/plain application/x-www-form-urlencoded x'),
  ...['multipart/mixed; boundary=z', ''],
];

function words(text: string): readonly string[] {
  return text.split(/\s+/);
}

function pick<T>(random: Random, list: readonly T[]): T {
  return list[random(list.length)] as T;
}

function pickText(random: Random): string {
  return pick(random, random(50) === 0 ? LONG_TEXTS : TEXTS);
}

function changeField(fields: Sent[], random: Random): void {
  const at = random(fields.length);
  const field = fields[at];
  if (field === undefined) return;
  switch (random(8)) {
    case 0:
      fields.splice(at, 1);
      return;
    case 1:
      fields.splice(random(fields.length), 0, { ...field });
      return;
    case 2:
      field.name = pick(random, NAMES);
      return;
    case 3:
      fields.push({ name: '_change', text: pickText(random) });
      return;
    case 4:
      fields.push({ name: pick(random, NAMES), text: pickText(random) });
      return;
    case 5:
      [field.name, field.text] = [field.text.slice(0, 4_000), field.name];
      return;
    case 6:
      if (random(100) === 0)
        for (let copy = random(1_500); copy > 0; copy--) fields.push({ ...field });
      else field.name = field.name.replace(/\d+/, String(random(1_100)));
      return;
    default:
      field.text = pickText(random);
  }
}

function encodePairs(fields: readonly Sent[]): Buffer {
  const pairs = fields.map(({ name, text }): [string, string] => [name, text]);
  return Buffer.from(new URLSearchParams(pairs).toString());
}

function encodeParts(fields: readonly Sent[], boundary: string, random: Random): Buffer {
  const parts = fields.map(({ name, text, file }) => {
    const named = random(200) === 0 ? name : name.replaceAll(/["\r\n]/g, encodeURIComponent);
    const isFile = file !== undefined || random(60) === 0;
    const fileName = random(30) === 0 ? pickText(random) : file;
    const disposition = `Content-Disposition: form-data; name="${named}"${isFile ? `; filename="${fileName}"` : ''}`;
    const type = isFile || random(60) === 0 ? `\r\nContent-Type: ${pick(random, TYPES)}` : '';
    const more = random(100) === 0 ? `\r\n${pickText(random)}: ${pickText(random)}` : '';
    const nested = random(200) === 0 ? `--${boundary}\r\n` : '';
    return `--${boundary}\r\n${disposition}${type}${more}\r\n\r\n${nested}${text}\r\n`;
  });
  return Buffer.from(`${parts.join('')}--${boundary}--\r\n`);
}

function changeBytes(bytes: Buffer, random: Random): Buffer {
  const at = random(bytes.length + 1);
  const end = Math.min(bytes.length, at + 1 + random(40));
  const before = bytes.subarray(0, at);
  switch (random(5)) {
    case 0:
      return before;
    case 1:
      return Buffer.concat([before, bytes.subarray(end)]);
    case 2:
      return Buffer.concat([before, bytes.subarray(at, end), bytes.subarray(at)]);
    case 3: {
      const added = Array.from({ length: 1 + random(8) }, () => random(256));
      return Buffer.concat([before, Buffer.from(added), bytes.subarray(at)]);
    }
    default: {
      const flipped = Buffer.from(bytes);
      if (at < flipped.length) flipped.writeUInt8(random(256), at);
      return flipped;
    }
  }
}
