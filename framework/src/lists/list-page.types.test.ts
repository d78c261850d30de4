import assert from 'node:assert/strict';
import test from 'node:test';
import { choiceField } from '../field/choice-field.ts';
import { dateField } from '../field/date-field.ts';
import { textField, wholeNumberField } from '../field/fields.ts';
import { ticksField } from '../field/ticks-field.ts';
import { defineForm } from '../form/define-form.ts';
import { localPath } from '../http/href.ts';
import { html } from '../http/html.ts';
import type { PlainDate } from '../language/plain-date.ts';
import { requireSession } from '../session/require-session.ts';
import { createSite } from '../site/create-site.ts';
import { createMemoryStores } from '../site/stores.ts';
import { defineList } from './define-list.ts';
import { listPage } from './list-page.ts';

// Lines that must not compile have @ts-expect-error.

interface Thing {
  readonly id: number;
  readonly name: string;
  readonly amount: number;
  readonly due: PlainDate | null;
  readonly owner: { readonly name: string };
}

const name = textField({ label: 'Name', maxLength: 80 });
const amount = wholeNumberField({ label: 'Amount', min: 0, max: 99, default: 1 });
const due = dateField({ label: 'Due' });
const choices = [{ value: 'open', label: 'Open' }] as const;

const list = defineList<Thing>()({
  key: 'id',
  columns: {
    name: { field: name, sort: 'asc', link: ({ id }) => localPath(`/things/${id}`) },
    amount: { field: amount, sort: 'desc', align: 'end' },
    due: { field: due },
    owner: { label: 'Owner', show: ({ owner }) => owner.name },
  },
  filter: defineForm({ q: name, state: choiceField({ label: 'State', choices }) }),
  order: '-amount',
});

test('a column has the type of the property of its row', () => {
  const define = defineList<Thing>();
  const mistakes = () => {
    // @ts-expect-error: the row has no such property
    define({ columns: { nam: { field: name } } });
    // @ts-expect-error: the property has another type than the field
    define({ columns: { name: { field: amount } } });
    define({ columns: { name: { label: 'Name', sort: 'asc' }, amount: { label: 'Amount' } } });
    define({ columns: { twice: { label: 'Twice', show: ({ amount: one }) => 2 * one } } });
    // @ts-expect-error: the row has no such property
    define({ columns: { nam: { label: 'Name' } } });
    // @ts-expect-error: what is neither text nor a number needs show
    define({ columns: { owner: { label: 'Owner' } } });
    // @ts-expect-error: the row has no such key
    define({ columns: { name: { field: name } }, key: 'ix' });
    define({
      columns: { name: { field: name, sort: 'asc' }, due: { field: due } },
      // @ts-expect-error: the column has no sort
      order: 'due',
    });
    define({ columns: { name: { field: name, sort: 'asc' } }, order: '-name' });
  };
  assert.ok(mistakes);
});

test('read handles every order and gets typed filters', () => {
  const site = createSite(createMemoryStores(), { log: false });
  const rows: readonly Thing[] = [];
  const show = ({ listHtml }: { readonly listHtml: ReturnType<typeof html> }) => listHtml;
  const mistakes = () => {
    listPage(site, '/things', list, {
      read({ filter, order, limit, offset }) {
        const q: string = filter.q;
        const state: 'open' | '' = filter.state;
        const column = { name: 'name', amount: 'amount_left' }[order.by];
        return q + state + column + order.direction ? rows.slice(offset, limit) : [];
      },
      show,
    });
    listPage(site, '/things', list, {
      // @ts-expect-error: the list can be sorted by amount, too
      read: ({ order }) => ({ name: rows })[order.by],
      show,
    });
    // @ts-expect-error: the rows lack properties
    listPage(site, '/things', list, { read: () => [{ name: 'x' }], show });
    listPage(site, '/things', list, {
      keys: { name: { name: 'text', id: 'int' }, amount: { amount: 'int', id: 'int' } },
      read({ position }) {
        const values: readonly (string | number)[] | null = position;
        return values === null ? rows : [];
      },
      show,
    });
    listPage(site, '/things', list, {
      // @ts-expect-error: no key for the order by amount
      keys: { name: { name: 'text', id: 'int' } },
      read: () => rows,
      show,
    });
    listPage(site, '/things', list, {
      // @ts-expect-error: an id is a whole number
      keys: { name: { name: 'text', id: 'text' }, amount: { amount: 'int', id: 'int' } },
      read: () => rows,
      show,
    });
  };
  assert.ok(mistakes);
});

test('the form over ticks is typed as any other', () => {
  const site = createSite(createMemoryStores(), { log: false });
  const mistakes = () => {
    const added = listPage(site, '/teams/:team/things', list, {
      middleware: [requireSession],
      read: ({ params: { team }, session }) => (team === session.user.name ? [] : []),
      ticks: {
        form: defineForm({ ticked: ticksField({ label: 'Things', of: 'int' }) }),
        button: 'Delete',
        send({ values: { ticked }, params }) {
          const ids: readonly number[] = ticked;
          return localPath(`/teams/${params.team}/things?${ids.length}`);
        },
      },
      show: ({ listHtml, session, count }) => html`${session.user.name} ${count} ${listHtml}`,
    });
    added.get('/other', () => ({ status: 200, headers: {}, body: '' }));
    listPage(site, '/things', list, {
      read: () => [],
      ticks: {
        form: defineForm({ ticked: ticksField({ label: 'Things', of: 'text' }) }),
        button: 'Delete',
        send({ values: { ticked } }) {
          // @ts-expect-error: the keys are texts
          const ids: readonly number[] = ticked;
          return localPath(`/things?${ids.length}`);
        },
      },
      show: ({ listHtml }) => listHtml,
    });
  };
  assert.ok(mistakes);
});
