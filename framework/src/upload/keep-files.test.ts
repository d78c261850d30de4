import assert from 'node:assert/strict';
import test from 'node:test';
import { checkboxField, textField } from '../field/fields.ts';
import { defineForm } from '../form/define-form.ts';
import {
  describeValues,
  fromColumns,
  type RecordValues,
  textsOf,
  toColumns,
} from '../form/form-record.ts';
import { localPath } from '../http/href.ts';
import { html } from '../http/html.ts';
import { createSite } from '../site/create-site.ts';
import { formPage } from '../site/form-page.ts';
import { createMemoryStores } from '../site/stores.ts';
import { createVisitor } from '../testing/visitor.ts';
import { fileField } from './file-field.ts';
import { keepFiles } from './keep-files.ts';

const form = defineForm({
  title: textField({ label: 'Title', maxLength: 9 }),
  scan: fileField({ label: 'Scan', required: 'Choose a file', maxSize: 100 }),
  cover: fileField({ label: 'Cover', maxSize: 100 }),
});
const changeForm = defineForm({
  ...form.fields,
  scan: fileField({ label: 'Scan', maxSize: 100 }),
  removeCover: checkboxField({ label: 'Remove' }),
});

/** A site with one record, as a table would have it. */
function openBook() {
  const stores = createMemoryStores();
  const site = createSite(stores, { log: false });
  let row: Readonly<Record<string, unknown>> = {};
  const show = ({ formHtml }: { readonly formHtml: unknown }) => html`${formHtml as never}`;
  formPage(site, '/new', form, {
    ...{ button: 'Add', show },
    async send(context) {
      row = toColumns(form, await keepFiles(form, context));
      return localPath('/new');
    },
  });
  formPage(site, '/edit', changeForm, {
    ...{ button: 'Save', show },
    fill: () => textsOf(form, fromColumns(form, row)),
    async send(context) {
      const stored = fromColumns(form, row);
      const remove = { cover: context.values.removeCover };
      row = toColumns(form, await keepFiles(form, context, { stored, remove }));
      return localPath('/edit');
    },
  });
  const record = () => fromColumns(form, row);
  const isKept = async (id = '') => (await stores.files.find(id)) !== null;
  const { files } = stores;
  return { visitor: createVisitor(site), row: () => row, record, isKept, files };
}

const file = (name: string) => new File([name], name);

test('a column has the id of a file and its name, and a record shows the name', async () => {
  const { visitor, row, record, isKept } = openBook();
  await visitor.submit('/new', { title: 'Emma', scan: file('a b.pdf') });
  const values: RecordValues<typeof form.fields> = record();
  const { scan, cover } = values;
  // @ts-expect-error A file that is not required may be missing.
  assert.throws(() => cover.id);
  assert.deepEqual([scan.name, cover], ['a b.pdf', null]);
  assert.equal(row()['scan'], `${scan.id} a b.pdf`);
  assert.equal(await isKept(scan.id), true);
  assert.deepEqual(
    describeValues(form, values).map(({ text }) => text),
    ['Emma', 'a b.pdf', ''],
  );
  assert.deepEqual(textsOf(form, values), { title: 'Emma', scan: '', cover: '' });
});

test('a changed record keeps its files, but for those that are replaced or removed, which end', async () => {
  const { visitor, record, isKept } = openBook();
  await visitor.submit('/new', { title: 'Emma', scan: file('1.pdf'), cover: file('1.png') });
  const first = record();
  await visitor.submit('/edit', { title: 'Emma 2' });
  assert.deepEqual(record(), { ...first, title: 'Emma 2' });
  await visitor.submit('/edit', { scan: file('2.pdf'), removeCover: 'on' });
  const { scan, cover } = record();
  assert.deepEqual([scan.name, cover], ['2.pdf', null]);
  assert.deepEqual(await Promise.all([first.scan.id, first.cover?.id, scan.id].map(isKept)), [
    false,
    false,
    true,
  ]);
  // A file that is chosen is stronger than the box.
  await visitor.submit('/edit', { cover: file('3.png'), removeCover: 'on' });
  assert.deepEqual([record().scan, record().cover?.name], [scan, '3.png']);
});

test('a file that is not kept is refused as a column with a sentence', () => {
  const sent = { title: '', cover: null, scan: { name: 'a.pdf' } };
  assert.throws(
    () => toColumns(form, sent as never),
    /Cannot put the file "a.pdf" into a column: it is not kept\. Pass what keepFiles\(form, context\) resolves to\./,
  );
});
