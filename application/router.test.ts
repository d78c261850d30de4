import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { get } from 'seeother/testing';
import { createTestApplication, headerOf } from './testing/create-test-application.ts';

/** The pages of accounts know texts that others do not. */
const LANGUAGE = 'speakOfAccounts';

test('the routes have this order, and the protected ones require a session', async (t) => {
  const { routes } = await createTestApplication(t);
  const lines = routes.map(({ method, pattern, middleware }) =>
    // Each page of accounts begins with it: it is left out.
    [
      method,
      pattern,
      ...middleware.map(({ name }) => name).filter((name) => name !== LANGUAGE),
    ].join(' '),
  );
  assert.deepEqual(lines, [
    'GET /login',
    'POST /login readForm /login',
    'GET /login/again',
    'POST /login/again readForm /login/again',
    'GET /login/forget.css',
    'POST /logout',
    'GET /register',
    'POST /register readForm /register',
    'GET /account/password requireSession requireFactors',
    'POST /account/password requireSession requireFactors readForm /account/password',
    'GET /password/new',
    'POST /password/new readForm /password/new',
    'GET /password/forgot',
    'POST /password/forgot readForm /password/forgot',
    'GET /mail-sent',
    'GET /login/link bindToBrowser',
    'POST /login/link bindToBrowser readForm /login/link',
    'GET /login/link/open',
    'POST /login/link/open readForm /login/link/open',
    'GET /account/email requireSession requireRecent',
    'POST /account/email requireSession requireRecent readForm /account/email',
    'GET /account/email/confirm',
    'POST /account/email/confirm readForm /account/email/confirm',
    'GET /account requireSession',
    'GET /account/profile requireSession',
    'POST /account/profile requireSession readForm /account/profile',
    'GET /account/devices requireSession requireRecent',
    'POST /account/devices requireSession requireRecent readForm /account/devices',
    'GET /people requireRole showNames requireRole requireOfForms',
    'POST /people requireRole showNames requireRole requireOfForms readForm /people',
    'POST /people/invitations requireRole requireRecent readForm changeInvitation',
    'GET /people/:id<int> requireRole requireOfForms',
    'POST /people/:id<int> requireRole requireOfForms readForm /people/:id<int>',
    'GET /',
    'GET /items limitSearches compressPages answerNotModified',
    'GET /items/filters compressPages answerNotModified',
    'GET /items/locations',
    'GET /items/tags limitRequests compressPages answerNotModified',
    'GET /items.csv limitRequests',
    'GET /items/print limitRequests',
    'GET /items/new requireMember',
    'POST /items requireMember readForm createItem',
    'GET /items/rename requireMember',
    'POST /items/rename requireMember readForm rename',
    'GET /items/select requireMember limitSearches carryTicks',
    'POST /items/select requireMember readForm changeSelected',
    'GET /items/count requireMember limitSearches',
    'POST /items/count requireMember readForm countItems',
    'GET /items/count/differences requireMember',
    'POST /items/count/differences requireMember readForm correctQuantities',
    'GET /items/lend requireMember',
    'POST /items/lend requireMember readForm lendThings',
    'GET /items/return requireMember',
    'POST /items/return requireMember readForm returnThings',
    'GET /items/labels requireMember limitSearches',
    'POST /items/labels requireMember readForm chooseLabels',
    'GET /items/labels/print requireMember limitRequests compressPages',
    'GET /items/labels/sheet.css requireMember',
    'GET /items/labels/labels.pdf requireMember limitRequests',
    'GET /items/bin requireMember',
    'POST /items/history/batches/:batch<int>/undo requireMember limitRequests readForm undoWholeBatch',
    'GET /items/import requireMember',
    'POST /items/import requireMember limitRequests readForm uploadImport',
    'GET /items/imports/:id<int> requireMember',
    'GET /items/imports/:id<int>/columns requireMember',
    'POST /items/imports/:id<int>/columns requireMember limitRequests readForm chooseColumns',
    'GET /items/imports/:id<int>/refused.csv requireMember',
    'POST /items/imports/:id<int>/run requireMember readForm runImport',
    'POST /items/imports/:id<int>/stop requireMember readForm stopImport',
    'GET /items/:number<int> limitSearches compressPages answerNotModified',
    'GET /items/:number<int>/history requireSession',
    'GET /items/:number<int>/files/:file<int>',
    'GET /items/:number<int>/files requireMember',
    'POST /items/:number<int>/files requireMember readForm addFiles',
    'POST /items/:number<int>/files/:file<int> requireMember readForm changeFile',
    'GET /items/:number<int>/files/:file<int>/original requireMember',
    'GET /items/:number<int>/edit requireMember',
    'POST /items/:number<int>/edit requireMember readForm editItem',
    'GET /items/:number<int>/quantity requireMember',
    'POST /items/:number<int>/quantity requireMember readForm countItem',
    'GET /items/:number<int>/lend requireMember',
    'POST /items/:number<int>/lend requireMember readForm lendItem',
    'POST /items/:number<int>/return requireMember readForm returnItem',
    'POST /items/:number<int>/delete requireMember readForm deleteItem',
    'POST /items/:number<int>/restore requireMember readForm restoreItem',
    'POST /items/:number<int>/history/:event<int>/undo requireMember readForm undoChange',
    'GET /items/:number<int>/remove requireAdministrator',
    'POST /items/:number<int>/remove requireAdministrator readForm removeItem',
    'GET /items/:number<int>/history/:event<int>/remove requireAdministrator',
    'POST /items/:number<int>/history/:event<int>/remove requireAdministrator readForm removeValue',
    'GET /items/:number<int>/files/:file<int>/remove requireAdministrator',
    'POST /items/:number<int>/files/:file<int>/remove requireAdministrator readForm removeFile',
    'GET /items/:number<int>/files/:file<int>/:hash',
    'GET /i/:number<int>',
    'GET /places limitRequests compressPages',
    'GET /places/at limitSearches',
    'GET /places/new requireMember',
    'POST /places requireMember readForm addPlaces',
    'GET /places/:id<int>/edit requireMember',
    'POST /places/:id<int>/edit requireMember readForm renamePlace',
    'GET /places/:id<int>/picture requireMember',
    'POST /places/:id<int>/picture requireMember readForm picturePlace',
    'POST /places/:id<int>/move requireMember limitRequests readForm moveRestOfPlace',
    'POST /places/:id<int>/remove requireMember readForm removePlace',
    'GET /places/:id<int> limitSearches compressPages',
    'GET /places/:id<int>/picture/:hash',
    'GET /p/:id<int>',
    'GET /items/held limitRequests',
    'GET /items/counts requireSession',
    'GET /items/counts/:count<int> requireSession',
    'GET /items/counts/:count<int>/count.csv requireSession',
    'GET /items/history requireSession limitSearches',
    'GET /items/history/batches/:batch<int> requireSession limitSearches',
    'GET /account/list requireSession',
    'POST /account/list requireSession readForm chooseListView',
    'GET /account/mail requireSession requireMailer',
    'POST /account/mail requireSession requireMailer limitRate readForm setMailAddress',
    'GET /scan requireMember allowCamera',
    'POST /scan requireMember allowCamera readForm scan',
    'GET /fields requireSession',
    'GET /fields/changes requireSession',
    'GET /fields/set requireSession requireMember',
    'POST /fields/set requireSession requireMember readForm setField',
    'GET /fields/new requireSession requireAdministrator',
    'POST /fields/new requireSession requireAdministrator readForm addField',
    'GET /fields/order requireSession requireAdministrator',
    'POST /fields/order requireSession requireAdministrator readForm orderFields',
    'POST /fields/changes/:id<int>/undo requireSession requireAdministrator limitRequests readForm undoFieldsChange',
    'GET /fields/kinds/new requireSession requireAdministrator',
    'POST /fields/kinds/new requireSession requireAdministrator readForm addKind',
    'GET /fields/kinds/:id<int> requireSession requireAdministrator',
    'POST /fields/kinds/:id<int> requireSession requireAdministrator readForm changeKind',
    'POST /fields/kinds/:id<int>/remove requireSession requireAdministrator readForm removeKind',
    'GET /fields/kinds/:id<int>/merge requireSession requireAdministrator',
    'POST /fields/kinds/:id<int>/merge requireSession requireAdministrator limitRequests readForm mergeKind',
    'GET /fields/:id<int> requireSession requireAdministrator',
    'POST /fields/:id<int> requireSession requireAdministrator readForm changeField',
    'POST /fields/:id<int>/remove requireSession requireAdministrator readForm removeField',
    'GET /fields/:id<int>/merge requireSession requireAdministrator',
    'POST /fields/:id<int>/merge requireSession requireAdministrator limitRequests readForm mergeField',
    'GET /fields/:id<int>/choices requireSession requireAdministrator',
    'POST /fields/:id<int>/choices requireSession requireAdministrator limitRequests readForm mergeChoices',
    'GET /help compressPages',
    'GET /mail requireMailer',
    'POST /mail requireMailer readForm switchMails',
    'POST /draft/discard requireSession readForm discardDraft',
    'GET /healthz',
    'GET /readyz',
  ]);
});

test('the start page redirects to the list', async (t) => {
  const { handle } = await createTestApplication(t);
  const answer = await handle(get('/'));
  assert.equal(answer.status, 303);
  assert.equal(headerOf(answer, 'Location'), '/items');
});

test('the address of a form leads to the page of the form, and any other one that is sent to is unknown', async (t) => {
  const application = await createTestApplication(t);
  const served = new Set(
    application.routes.flatMap(({ method, pattern }) => (method === 'GET' ? pattern : [])),
  );
  const pages: Record<string, string | number> = {};
  for (const { method, pattern } of application.routes) {
    if (method === 'GET' || served.has(pattern)) continue;
    const answer = await application.handle(get(pattern.replaceAll(/:\w+<int>/g, '7')));
    pages[pattern] = headerOf(answer, 'Location') ?? answer.status;
  }
  assert.deepEqual(pages, {
    '/items/history/batches/:batch<int>/undo': '/items/history/batches/7',
    '/items/imports/:id<int>/run': '/items/imports/7',
    '/items/imports/:id<int>/stop': '/items/imports/7',
    '/items/:number<int>/return': '/items/7',
    '/items/:number<int>/delete': '/items/7',
    '/items/:number<int>/restore': '/items/7',
    '/items/:number<int>/history/:event<int>/undo': '/items/7',
    '/fields/changes/:id<int>/undo': '/fields/changes',
    '/fields/kinds/:id<int>/remove': '/fields/kinds/7',
    '/fields/:id<int>/remove': '/fields/7',
    '/people/invitations': '/people',
    '/places/:id<int>/move': '/places/7',
    '/places/:id<int>/remove': '/places/7',
    '/logout': 404,
    '/draft/discard': 404,
  });
});

test('the path of every route stands in docs/application/addresses.md', async (t) => {
  const page = new URL('../docs/application/addresses.md', import.meta.url);
  const [, paths = ''] = readFileSync(page, 'utf8').split('\n## ');
  const { routes } = await createTestApplication(t);
  const missing = routes
    .map(({ pattern }) => pattern.replaceAll(/:(\w+)(?:<int>)?/g, '<$1>'))
    .filter((path) => !paths.includes(`\`${path}\``));
  assert.deepEqual(missing, []);
});
