import assert from 'node:assert/strict';
import test from 'node:test';
import { get } from 'seeother/testing';
import { createTestApplication, headerOf } from './testing/create-test-application.ts';

test('the routes have this order, and the protected ones require a session', async (t) => {
  const { routes } = await createTestApplication(t);
  const lines = routes.map(({ method, pattern, middleware }) =>
    [method, pattern, ...middleware.map(({ name }) => name)].join(' '),
  );
  assert.deepEqual(lines, [
    'GET /',
    'GET /items limitSearches compressPages answerNotModified',
    'GET /items/filters compressPages answerNotModified',
    'GET /items/locations',
    'GET /items/tags',
    'GET /items.csv limitRequests',
    'GET /items/new requireMember',
    'POST /items requireMember readForm onlyOnce createItem',
    'GET /items/rename requireMember',
    'POST /items/rename requireMember readForm onlyOnce rename',
    'GET /items/select requireMember limitSearches',
    'POST /items/select requireMember readForm onlyOnce changeSelected',
    'GET /items/bin requireMember',
    'POST /items/history/batches/:batch<int>/undo requireMember limitRequests readForm onlyOnce',
    'GET /items/import requireMember',
    'POST /items/import requireMember limitRequests readUpload onlyOnce uploadImport',
    'GET /items/imports/:id<int> requireMember',
    'POST /items/imports/:id<int>/run requireMember readForm onlyOnce',
    'POST /items/imports/:id<int>/stop requireMember readForm onlyOnce',
    'GET /items/:number<int> limitSearches compressPages answerNotModified',
    'GET /items/:number<int>/history requireSession',
    'GET /items/:number<int>/edit requireMember',
    'POST /items/:number<int>/edit requireMember readForm onlyOnce editItem',
    'GET /items/:number<int>/quantity requireMember',
    'POST /items/:number<int>/quantity requireMember readForm onlyOnce countItem',
    'GET /items/:number<int>/lend requireMember',
    'POST /items/:number<int>/lend requireMember readForm onlyOnce lendItem',
    'POST /items/:number<int>/return requireMember readForm onlyOnce',
    'POST /items/:number<int>/delete requireMember readForm onlyOnce',
    'POST /items/:number<int>/restore requireMember readForm onlyOnce',
    'POST /items/:number<int>/history/:event<int>/undo requireMember readForm onlyOnce',
    'GET /items/:number<int>/remove requireAdministrator',
    'POST /items/:number<int>/remove requireAdministrator readForm onlyOnce',
    'GET /items/:number<int>/history/:event<int>/remove requireAdministrator',
    'POST /items/:number<int>/history/:event<int>/remove requireAdministrator readForm onlyOnce removeValue',
    'GET /items/history requireSession',
    'GET /items/history/batches/:batch<int> requireSession',
    'POST /draft/discard requireSession',
    'GET /account requireSession',
    'POST /account/password requireSession readForm onlyOnce changePassword',
    'GET /account/sessions/end requireSession',
    'POST /account/sessions/end requireSession readForm endOwnSessions',
    'GET /people requireSession',
    'POST /people/invitations requireAdministrator readForm onlyOnce invite',
    'POST /people/invitations/withdraw requireAdministrator readForm',
    'GET /people/:id<int> requireAdministrator',
    'POST /people/:id<int>/role requireAdministrator readForm changeRole',
    'POST /people/:id<int>/reset requireAdministrator readForm onlyOnce',
    'POST /people/:id<int>/remove requireAdministrator',
    'POST /people/:id<int>/restore requireAdministrator',
    'GET /register',
    'POST /register withoutLimit readForm register',
    'GET /reset-password',
    'POST /reset-password readForm resetPassword',
    'GET /login',
    'POST /login readForm logIn',
    'POST /logout',
    'GET /forget.css',
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
