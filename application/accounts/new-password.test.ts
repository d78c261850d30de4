import assert from 'node:assert/strict';
import test from 'node:test';
import { bodyText, createVisitor, type TypedFields } from 'seeother/testing';
import {
  createMember,
  createTestApplication,
  PASSWORD,
} from '../testing/create-test-application.ts';

const DIFFERENT = 'The two passwords are different. Type the same password twice';

test('a registration whose two passwords differ is a 400, and no account is made', async (t) => {
  const application = await createTestApplication(t);
  const visitor = createVisitor(application);
  const form = bodyText(await visitor.get('/register'));
  assert.equal(
    form.match(
      /type="password"[^>]*autocomplete="new-password"|autocomplete="new-password"[^>]*type="password"/g,
    )?.length,
    2,
  );
  for (const passwordagain of ['', 'correct horse batterz', `${PASSWORD} `]) {
    const fields = { username: 'ada', password: PASSWORD, passwordagain };
    const answer = await visitor.submit('/register', fields);
    assert.equal(answer.status, 400, passwordagain);
    assert.ok(bodyText(answer).includes(`<a href="#passwordagain">${DIFFERENT}</a>`));
    assert.equal(bodyText(answer).includes('correct horse'), false);
  }
  assert.equal(await application.models.accounts.isEmpty(), true);
  const same = { username: 'ada', password: PASSWORD, passwordagain: PASSWORD };
  assert.equal((await visitor.submit('/register', same)).status, 303);
});

test('a password change whose two passwords differ changes nothing', async (t) => {
  const application = await createTestApplication(t);
  const member = await createMember(application);
  const change = (newpasswordagain: string): TypedFields => ({
    currentpassword: PASSWORD,
    newpassword: 'battery staple',
    newpasswordagain,
  });
  for (const again of ['', 'battery stable']) {
    const answer = await member.submit('/account', change(again));
    assert.equal(answer.status, 400);
    assert.ok(bodyText(answer).includes(`<a href="#newpasswordagain">${DIFFERENT}</a>`));
  }
  const { accounts } = application.models;
  assert.notEqual(await accounts.authenticate({ username: 'ada', password: PASSWORD }), null);
  assert.equal((await member.submit('/account', change('battery staple'))).status, 303);
});
