/** Kinds of things and fields of the team's own, from their pages: through the real router, without a script. */
import assert from 'node:assert/strict';
import { bodyText, createVisitor, hiddenFields } from 'seeother/testing';
import { createMember, headerOf, register } from '../../testing/create-test-application.ts';
import { formIn } from '../../testing/form-in.ts';
import { openFields, press, undo } from '../../testing/open-fields.ts';
import { repeatOnEngines, testOnEngines } from '../../testing/open-test-database.ts';

const CONDITION = {
  ...{ label: 'Condition', value: 'one', of: 'all', inList: 'on', searched: 'on' },
  'value.one.choices.0.label': 'Good',
  'value.one.choices.1.label': 'Broken',
};
const PRICE = { label: 'Price', value: 'money', 'value.money.currency': 'eur', of: 'all' };

repeatOnEngines(
  'an administrator adds fields and kinds, changes and removes them, with Undo',
  async (t) => {
    const { ada, definitions, labels } = await openFields(t);
    assert.match(bodyText(await ada.get('/fields')), /Kinds and fields<\/h1>/);
    const added = await ada.submit('/fields/new', CONDITION);
    assert.equal(headerOf(added, 'Location'), '/fields');
    assert.match(bodyText(await ada.follow(added)), /The field “Condition” was added\./);
    await ada.submit('/fields/kinds/new', { name: 'Camera', icon: 'camera', minimum: '2' });
    await ada.submit('/fields/new', { ...PRICE, of: '1' });
    const { fields, kinds } = await definitions.read();
    const [condition, price] = fields;
    assert.deepEqual(condition?.choices, [
      { id: 'c1', label: 'Good' },
      { id: 'c2', label: 'Broken' },
    ]);
    assert.deepEqual(
      [condition?.inList, condition?.searched, condition?.required],
      [true, true, false],
    );
    assert.deepEqual([price?.kind, price?.unit, price?.itemKind], ['money', 'EUR', 1]);
    assert.deepEqual(
      kinds.map(({ name, icon, minimum }) => [name, icon, minimum]),
      [['Camera', 'camera', 2]],
    );
    const page = bodyText(await ada.get('/fields'));
    assert.match(
      page,
      /Condition<\/a> <span class="details">Choice, 2 choices, shown in the list, searched</,
    );

    // Another name for a choice, one more, and one less: ids stay.
    const changed = await ada.submit('/fields/1', {
      ...CONDITION,
      label: 'State',
      'value.one.choices.0.id': 'c1',
      'value.one.choices.0.label': 'As new',
      'value.one.choices.1.id': '',
      'value.one.choices.1.label': 'Worn',
    });
    assert.match(bodyText(await ada.get('/fields')), /State<\/a>/);
    assert.deepEqual((await definitions.read()).fields[0]?.choices, [
      { id: 'c1', label: 'As new' },
      { id: 'c3', label: 'Worn' },
      { id: 'c2', label: 'Broken', removed: true },
    ]);
    assert.equal(changed.status, 303);
    await undo(ada);
    // A thing that has the choice by now keeps it, with its name: no other choice gets the id.
    assert.deepEqual((await definitions.read()).fields[0]?.choices, [
      ...(condition?.choices ?? []),
      { id: 'c3', label: 'Worn', removed: true },
    ]);
    assert.deepEqual(await labels(), ['Condition', 'Price']);

    const removed = await press(ada, '/fields/2', 'remove');
    assert.deepEqual(await labels(), ['Condition']);
    await undo(ada, removed);
    assert.deepEqual(await labels(), ['Condition', 'Price']);
    // Without the kind, its field is hidden.
    const kindless = await press(ada, '/fields/kinds/1', 'remove');
    assert.deepEqual(await labels(), ['Condition']);
    await undo(ada, kindless);
    assert.deepEqual(await labels(), ['Condition', 'Price']);

    const places = { 'kinds.0.place': '1', 'fields.0.place': '20', 'fields.1.place': '10' };
    const ordered = await ada.submit('/fields/order', places);
    assert.deepEqual(await labels(), ['Price', 'Condition']);
    await undo(ada, ordered);
    assert.deepEqual(await labels(), ['Condition', 'Price']);

    const log = bodyText(await ada.get('/fields/changes'));
    assert.match(log, /<strong>ada<\/strong> changed the field “Condition”/);
    assert.match(log, /Name: <del>Condition<\/del> → <ins>State<\/ins>/);
    assert.match(log, /undid a change of the field “Price”/);
  },
);

testOnEngines(
  'of two administrators who change a field at once, the second sees both',
  async (t) => {
    const { ada, labels } = await openFields(t);
    await ada.submit('/fields/new', PRICE);
    const form = formIn(bodyText(await ada.get('/fields/1')), 'fields/1');
    const typed = (label: string) => ({ ...hiddenFields(form), ...PRICE, label });
    const first = await ada.post('/fields/1?send=', typed('Purchase price'));
    assert.equal(first.status, 303);
    // The same form again counts once.
    assert.equal((await ada.post('/fields/1?send=', typed('Purchase price'))).status, 303);
    const other = formIn(bodyText(await ada.get('/fields/new')), 'fields/new');
    const again = { ...typed('Cost'), _once: hiddenFields(other)['_once'] ?? '' };
    const second = await ada.post('/fields/1?send=', again);
    assert.equal(second.status, 409);
    const page = bodyText(second);
    assert.match(page, /Your changes are not saved yet\..*<dd>Purchase price<\/dd>.*value="Cost"/s);
    assert.deepEqual(await labels(), ['Purchase price']);
    const saved = await ada.post('/fields/1?send=', {
      ...hiddenFields(formIn(page, 'fields/1')),
      ...PRICE,
      label: 'Cost',
    });
    assert.equal(saved.status, 303);
    assert.deepEqual(await labels(), ['Cost']);
  },
);

testOnEngines('an Undo overwrites no later change, and is done once', async (t) => {
  const { ada, labels } = await openFields(t);
  await ada.submit('/fields/new', PRICE);
  const renamed = await ada.submit('/fields/1', { ...PRICE, label: 'Cost' });
  const shown = bodyText(await ada.follow(renamed));
  await ada.submit('/fields/1', { ...PRICE, label: 'Value' });
  const [markup, path = ''] =
    /<form [^>]*action="([^"]*\/undo)"[^>]*>.*?<\/form>/s.exec(shown) ?? [];
  const refused = await ada.post(path, hiddenFields(markup ?? ''));
  assert.equal(refused.status, 409);
  assert.match(bodyText(refused), /“Price” was changed since\./);
  assert.deepEqual(await labels(), ['Value']);
  const hint = await ada.submit('/fields/1', { ...PRICE, label: 'Value', hint: 'With tax' });
  assert.equal((await undo(ada, hint)).status, 303);
  assert.deepEqual(await labels(), ['Value']);
  assert.equal((await ada.post(path, hiddenFields(markup ?? ''))).status, 409);
});

repeatOnEngines(
  'labels that read alike, or like a column of every file, are refused',
  async (t) => {
    const { ada, labels } = await openFields(t);
    await ada.submit('/fields/new', PRICE);
    await ada.submit('/fields/kinds/new', { name: 'Book' });
    for (const [label, of] of [
      ['price', 'all'],
      ['PRICE', '1'],
      ['Serial number', 'all'],
      ['kind', 'all'],
    ] as const) {
      const refused = await ada.submit('/fields/new', { ...PRICE, label, of });
      assert.equal(refused.status, 400, label);
      assert.match(bodyText(refused), /already: choose another name/);
    }
    const twice = { ...CONDITION, 'value.one.choices.1.label': 'good' };
    assert.match(bodyText(await ada.submit('/fields/new', twice)), /There is this choice already/);
    assert.equal((await ada.submit('/fields/kinds/new', { name: 'BOOK' })).status, 400);
    assert.deepEqual(await labels(), ['Price']);
  },
);

repeatOnEngines(
  'members see the fields, and cannot change them; visitors see neither',
  async (t) => {
    const { application, ada } = await openFields(t);
    await ada.submit('/fields/new', PRICE);
    await register(application, 'bo');
    const bo = await createMember(application, 'bo');
    const page = bodyText(await bo.get('/fields'));
    assert.match(
      page,
      /<strong>Price<\/strong>.*Ask an administrator|Ask an administrator.*<strong>Price/s,
    );
    assert.doesNotMatch(page, /href="\/fields\/\d|\/fields\/new/);
    for (const path of ['/fields/new', '/fields/1', '/fields/order', '/fields/kinds/new'])
      assert.equal((await bo.get(path)).status, 403, path);
    assert.equal((await bo.post('/fields/1/remove', {})).status, 403);
    assert.doesNotMatch(
      bodyText(await bo.get('/fields/changes')),
      /<button class="quiet" aria-describedby/,
    );
    for (const path of ['/fields', '/fields/changes', '/fields/new'])
      assert.equal((await createVisitor(application).get(path)).status, 303, path);
  },
);
