/**
 * A form of 100 rows with five fields each, read and validated: the whole of `readForm` against qs, whose brackets are
 * those of Rails, and zod. Both get the bytes of the body and make the same values, which is checked first. `readForm`
 * also keeps the texts for the page of a refused form, and what its digest is made of.
 */
import { deepStrictEqual } from 'node:assert/strict';
import qs from 'qs';
import { z } from 'zod';
import {
  checkboxField,
  choiceField,
  rows as repeated,
  textField,
  wholeNumberField,
} from '../framework/fields.ts';
import { createRouter, defineForm, empty, readForm } from '../framework/index.ts';
import { post } from '../framework/testing.ts';
import { toTable } from './markdown-table.ts';
import { measureInTurn, withRatios } from './measure-in-turn.ts';

const ROUNDS = 21;
const RUNS = 100;
const COUNT = 100;
const SIZES = ['small', 'medium', 'large'] as const;
const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

const form = defineForm({
  rows: repeated({
    label: 'Participants',
    name: 'Participant',
    min: 1,
    max: COUNT,
    fields: {
      name: textField({ label: 'Name', required: 'Enter a name', maxLength: 120 }),
      email: textField({
        label: 'E-mail',
        maxLength: 254,
        pattern: { matches: EMAIL, message: 'Enter an e-mail address, like name@example.com' },
      }),
      nights: wholeNumberField({ label: 'Nights', min: 1, max: 30, default: 1 }),
      shirt: choiceField({
        label: 'Shirt',
        required: 'Choose a size',
        choices: SIZES.map((value) => ({ value, label: value })),
      }),
      vegan: checkboxField({ label: 'Vegan' }),
    },
  }),
});

const schema = z.object({
  rows: z
    .array(
      z.object({
        name: z.string().trim().normalize().min(1, 'Enter a name').max(120),
        email: z.string().trim().normalize().max(254).regex(EMAIL, 'Enter an e-mail address'),
        nights: z.coerce.number().int().min(1).max(30),
        shirt: z.enum(SIZES, 'Choose a size'),
        vegan: z
          .literal('on')
          .optional()
          .transform((sent) => sent === 'on'),
      }),
    )
    .min(1)
    .max(COUNT),
});

/** What either side answers: the values, or how many errors there are. */
type Answer = { readonly values: unknown } | { readonly errors: number };

let answer: Answer = { errors: 0 };
const router = createRouter().post('/', readForm(form), ({ validation }) => {
  answer = validation.valid ? { values: validation.values } : { errors: validation.errors.length };
  return empty();
});

async function withReadForm(body: Uint8Array): Promise<Answer> {
  await router.handle(post('/', body));
  return answer;
}

function withQs(body: Uint8Array): Answer {
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString();
  const sent = qs.parse(text, { arrayLimit: 1_000, parameterLimit: 10_000 });
  const { success, data, error } = schema.safeParse(sent);
  return success ? { values: data } : { errors: error.issues.length };
}

/** A body as a browser encodes it. A row of Seeother sends its mark as a sixth field. */
function encode(isWrong: (at: number) => boolean, toName: (row: number, field: string) => string) {
  const entries = Array.from({ length: COUNT }, (_, at): [string, string][] => [
    [toName(at, 'name'), isWrong(at) ? ' ' : `Zoë Müller ${at}`],
    [toName(at, 'email'), `participant.${at}@example.com`],
    [toName(at, 'nights'), isWrong(at) ? 'x' : String(1 + (at % 30))],
    [toName(at, 'shirt'), SIZES[at % 3] as string],
    ...(at % 4 === 0 ? [[toName(at, 'vegan'), 'on'] as [string, string]] : []),
  ]);
  return entries.flat();
}

const toBytes = (entries: [string, string][]): Uint8Array =>
  Buffer.from(new URLSearchParams(entries).toString());

const ownBody = (isWrong: (at: number) => boolean): Uint8Array => {
  const marks = Array.from({ length: COUNT }, (_, at): [string, string] => [`rows.${at}`, 'row']);
  return toBytes([...marks, ...encode(isWrong, (at, field) => `rows.${at}.${field}`)]);
};
const bracketBody = (isWrong: (at: number) => boolean): Uint8Array =>
  toBytes(encode(isWrong, (at, field) => `rows[${at}][${field}]`));

const rows: (readonly string[])[] = [];
const CASES = { 'all rows valid': () => false, 'a tenth wrong': (at: number) => at % 10 === 0 };
for (const [kind, isWrong] of Object.entries(CASES)) {
  const own = ownBody(isWrong);
  const brackets = bracketBody(isWrong);
  deepStrictEqual(await withReadForm(own), withQs(brackets));
  const contestants = {
    [`${kind}: readForm`]: () => withReadForm(own),
    [`${kind}: qs and zod`]: () => withQs(brackets),
  };
  const times = await measureInTurn(contestants, { rounds: ROUNDS, runs: RUNS });
  rows.push(...withRatios(times, `${kind}: readForm`, 0));
}
process.stdout.write(toTable(['100 rows × 5 fields', 'CPU µs', 'ratio'], rows));
