import assert from 'node:assert/strict';
import test from 'node:test';
import { readConfig } from './config.ts';
import { describeAccess } from './start-access.ts';

test('the start line says who can read, and how the first account is made', () => {
  const sentencesOf = (environment: Record<string, string>, hasAccounts = false) =>
    describeAccess(readConfig(environment), hasAccounts).join(' ');
  assert.match(
    sentencesOf({}),
    /^Everybody .* \(READERS=everybody\) There is no account yet: open/,
  );
  assert.match(sentencesOf({ READERS: 'members' }, true), /^Only people .* \(READERS=members\)$/);
  assert.match(sentencesOf({ REGISTRATION: 'invite' }), /run "npm run account -- invite"/);
  assert.doesNotMatch(sentencesOf({}), /https?:/);
});
