import assert from 'node:assert/strict';
import test, { after } from 'node:test';
import { html } from 'seeother';
import { ROLES } from '../settings/role.ts';
import { layout } from './layout.ts';
import { setSiteName, siteName } from './site-name.ts';

const PAGE = { title: 'Drill', viewer: null, main: html`` };
const name = siteName();
after(() => setSiteName({ siteName: name }));

test('the name of the site is in the header and in the title', () => {
  setSiteName({ siteName: 'Werkstatt & Küche' });
  const { markup } = layout(PAGE);
  assert.match(markup, /<title>Drill &#8211; Werkstatt &amp; Küche<\/title>/);
  assert.match(markup, /<span>Werkstatt &amp; Küche<\/span><\/a>/);
});

test('the header has the search of the page, and names its section in the bar and in the menu', () => {
  const { markup } = layout({ ...PAGE, section: 'loans', search: 'drill "12"' });
  assert.match(markup, /name="q" value="drill &quot;12&quot;"/);
  const current = [...markup.matchAll(/aria-current="page">([^<]*)</g)].map(([, text]) => text);
  assert.deepEqual(current, ['Loans', 'Loans']);
});

test('every page of somebody who is logged in has a button to log out', () => {
  for (const role of ROLES) {
    const user = { id: 1, username: 'ada', name: 'Ada', role };
    const viewer = { ...user, flash: null, flashAction: null };
    const { markup } = layout({ ...PAGE, viewer });
    assert.match(markup, /<form method="post" action="\/logout"><button>Log out<\/button><\/form>/);
  }
  assert.doesNotMatch(layout(PAGE).markup, /Log out/);
});
