import assert from 'node:assert/strict';
import test from 'node:test';
import { choiceField } from '../field/choice-field.ts';
import { checkboxField, passwordField, textField, wholeNumberField } from '../field/fields.ts';
import { defineForm } from '../form/define-form.ts';
import { rows } from '../form/field-set.ts';
import { formTitle } from '../form/form-markup.ts';
import { valuesOf } from '../form/validate-form.ts';
import { localPath } from '../http/href.ts';
import { html } from '../http/html.ts';
import { english } from '../language/english.ts';
import { createLinks } from '../router/links.ts';
import { requireSession } from '../session/require-session.ts';
import { createSite } from '../site/create-site.ts';
import { createMemoryStores } from '../site/stores.ts';
import { type Mistake, testMistakes } from '../testing/test-mistakes.ts';
import { bodyText, createVisitor } from '../testing/visitor.ts';
import { stepPages } from './step-pages.ts';
import { readProgress, steps } from './steps.ts';

// Lines that must not compile have @ts-expect-error.

const contact = defineForm({ name: textField({ label: 'Name', maxLength: 9 }) });
const room = defineForm({
  size: choiceField({ label: 'Size', required: 'Choose', choices: [{ value: 's', label: 'S' }] }),
  board: checkboxField({ label: 'Board' }),
});
const meals = (count: number) =>
  defineForm({
    people: wholeNumberField({ label: 'People', min: 1, max: count, default: count }),
  });

const booking = steps()
  .step('contact', contact, { title: 'You' })
  .step('room', room, { title: 'Room' })
  .step('meals', ({ contact }) => meals(contact.name.length), {
    title: 'Meals',
    when: ({ room }) => room.board,
  });
const show = () => html``;
const reading = { language: english, findFile: async () => null };
const newSite = () => createSite(createMemoryStores(), { log: false });

test('the answers have the types of their forms, and those of a step with a condition may be missing', () => {
  const router = stepPages(newSite(), '/book', booking, {
    button: 'Book',
    middleware: [requireSession],
    show({ step, session }) {
      const name: 'contact' | 'room' | 'meals' | 'check' = step;
      return html`${name}${session.user.name}`;
    },
    send({ answers }) {
      const size: 's' = answers.room.size;
      const people: number | undefined = answers.meals?.people;
      // @ts-expect-error the step may have been left out
      assert.ok(answers.meals.people);
      // @ts-expect-error there is no such step
      assert.ok(answers.extras);
      return localPath(`/${size}${people}`);
    },
  });
  const { href } = createLinks<typeof router>();
  assert.equal(href('/book/:key/room', { key: 'k' }), '/book/k/room');
});

test('a page knows the key of its answers and the fields of its step', () => {
  const lines = defineForm({
    lines: rows({
      label: 'Lines',
      name: 'Line',
      max: 3,
      fields: { amount: wholeNumberField({ label: 'Amount', min: 0, max: 9, default: 0 }) },
    }),
  });
  stepPages(
    newSite(),
    '/claim',
    booking.step('lines', () => lines, { title: 'Lines' }),
    {
      button: 'Send',
      async show({ step, form, title, params }) {
        const key: string | undefined = params.key;
        // @ts-expect-error the first page has none yet
        assert.ok(params.key.length);
        // @ts-expect-error any step may be shown
        assert.ok((await valuesOf(form)).lines);
        if (step !== 'lines') return html`${formTitle(title, form)}${key}`;
        const { lines = [] } = await valuesOf(form);
        const sum: number = lines.reduce((sum, { amount }) => sum + amount, 0);
        return html`${sum}`;
      },
      shared: ({ room }) => room?.size === 's',
      send: ({ params }) => localPath(`/${params.key.length}`),
    },
  );
  stepPages(newSite(), '/claim', booking, {
    button: 'Send',
    show,
    // @ts-expect-error no answer has to be there yet
    shared: ({ room }) => room.board,
    send: () => localPath('/'),
  });
});

test('a step knows the answers of the steps before it, and no others', () => {
  steps()
    .step('contact', contact, { title: 'You' })
    // @ts-expect-error there is no answer of this step yet
    .step('room', ({ room }) => (room ? contact : meals(1)), { title: 'Room' });
  steps()
    .step('contact', contact, { title: 'You' })
    // @ts-expect-error the form has no such value
    .step('room', room, { title: 'Room', when: ({ contact }) => contact.age > 3 });
  stepPages(newSite(), '/book', booking, {
    button: 'Book',
    show,
    // @ts-expect-error no step has an error of its own here
    send: () => ({ errors: [{ field: 'name', message: 'x' }] }),
  });
  // @ts-expect-error there are no sessions
  stepPages(createSite(createMemoryStores(), { session: false }), '/book', booking, {
    button: 'Book',
    show,
    send: () => localPath('/'),
  });
});

test('a function of the answers is not called before they are there', async () => {
  const { list } = booking;
  const start = await readProgress(list, {}, reading);
  assert.deepEqual(
    [start.reached.length, start.open?.step.name, start.total],
    [2, 'contact', null],
  );
  const sent = { contact: [{ name: 'name', text: 'Ada' }], room: [{ name: 'board', text: 'on' }] };
  const refused = await readProgress(list, sent, reading);
  assert.deepEqual([refused.reached.length, refused.open?.step.name], [2, 'room']);
  const size = { name: 'size', text: 's' };
  const { open, total } = await readProgress(
    list,
    { ...sent, room: [...sent.room, size] },
    reading,
  );
  assert.deepEqual(
    [open?.step.name, open?.form.fields['people']?.limits.max, total],
    ['meals', 3, 3],
  );
});

test('answers that another version of the form has sent are left out', async () => {
  const guests = rows({ label: 'Guests', name: 'Guest', max: 3, fields: contact.fields });
  const { list } = steps().step('guests', defineForm({ guests }), { title: 'Guests' });
  const texts = ['guests.name', 'guests.0', 'guests.0.name', 'guests.0.age', 'other'];
  const sent = { guests: texts.map((name) => ({ name, text: 'Ada' })) };
  const { answers } = await readProgress(list, sent, reading);
  assert.deepEqual(answers, { guests: { guests: [{ name: 'Ada' }] } });
});

const secret = passwordField({
  label: 'Password',
  required: 'Enter one',
  minLength: 8,
  maxLength: 99,
});
const title = 'You';

const CALLS: readonly Mistake[] = [
  [
    () => steps().step('Your room', contact, { title }),
    'Cannot make a step with the name "Your room": it is a part of an address. Start with a lower-case letter, go on with letters, digits and single hyphens, and do not take "check", the page of all answers.',
  ],
  [
    () => steps().step('check', contact, { title }),
    'Cannot make a step with the name "check": it is a part of an address. Start with a lower-case letter, go on with letters, digits and single hyphens, and do not take "check", the page of all answers.',
  ],
  [
    () => booking.step('room', contact, { title }),
    'Cannot make two steps with the name "room": rename one.',
  ],
  [
    () => steps().step('contact', contact, { title, when: () => true }),
    'Cannot make the first step "contact" with a condition: nothing was answered before it. Leave out when.',
  ],
  [
    () => steps().step('contact', contact.fields as never, { title }),
    'Cannot make the step "contact" without a form: pass what defineForm returned, or a function that returns it.',
  ],
  [
    () => steps().step('contact', defineForm({ pin: secret }), { title }),
    'Cannot make the step "contact" of a form with a password: answers are stored until the last page is sent, and no store may hold a password. Ask for it on a page of its own afterwards.',
  ],
  [
    () =>
      stepPages(newSite(), '/book', steps(), { button: 'Book', show, send: () => localPath('/') }),
    "Cannot make the pages of /book without a step: pass steps().step('contact', form, { title: 'Your details' }).",
  ],
];

testMistakes(CALLS);

test('the check of a step is asked when it is sent, and whenever the answers are read', async () => {
  const days = defineForm({
    from: wholeNumberField({ label: 'From', min: 1, max: 31, default: null }),
    to: wholeNumberField({ label: 'To', min: 1, max: 31, default: null }),
    note: textField({ label: 'Note', required: 'Enter a note', maxLength: 9 }),
  });
  let longest = 9;
  const trip = steps()
    .step('contact', contact, { title: 'You' })
    .step('days', ({ contact }) => (contact.name === 'Ada' ? days : days), {
      title: 'Days',
      check({ values: { from, to }, errors, answers }) {
        assert.ok(errors.every(({ field }) => field === 'note'));
        if (from == null || to == null) return [];
        if (to - from > longest)
          return [{ field: null, message: `Too long, ${answers.contact.name}` }];
        return from > to ? [{ field: 'to', message: 'To must be after From' }] : [];
      },
    });
  steps().step('days', days, {
    title: 'Days',
    // @ts-expect-error the form has no such field
    check: () => [{ field: 'until', message: 'x' }],
  });
  const pages = stepPages(newSite(), '/trip', trip, {
    button: 'Send',
    show: ({ form, formHtml, title }) => html`<title>${formTitle(title, form)}</title>${formHtml}`,
    send: () => localPath('/done'),
  });
  const visitor = createVisitor(pages);
  const first = await visitor.submit('/trip', { name: 'Ada' });
  const path = String(first.headers['Location']);
  const refused = await visitor.submit(path, { from: '9', to: '3', note: '' });
  assert.equal(refused.status, 400);
  assert.match(bodyText(refused), /To must be after From[\s\S]*Enter a note/);
  const sent = await visitor.submit(path, { from: '3', to: '9', note: 'x' });
  const check = String(sent.headers['Location']);
  assert.equal((await visitor.get(check)).status, 200);
  longest = 1;
  const open = await visitor.get(check);
  assert.equal(open.headers['Location'], `${path}?change`);
  assert.match(bodyText(await visitor.follow(open)), /Too long, Ada/);
});
