import assert from 'node:assert/strict';
import test from 'node:test';
import { isSecretName } from './secret-name.ts';

test('a secret is recognised by the words of its name, however they are joined', () => {
  const secrets = [
    ...['pass', 'Pass', 'password', 'PASSWORD', 'passwd', 'pin', 'PIN', 'secret', 'token', 'code'],
    ...['newPassword', 'newpassword', 'passwordagain', 'password2', 'user[password]', 'old_pass'],
    ...['cardPin', 'PINCode', 'pin1', 'api-token', 'clientSecret', 'secret_key', 'one.time.code'],
    ...['passphrase', 'passcode'],
  ];
  const others = [
    ...['shipping', 'shippingAddress', 'passenger', 'passengers', 'compass', 'passport', 'bypass'],
    ...['postcode', 'postCodes', 'barcode', 'encoder', 'pint', 'spinning', 'opinion', 'secretary'],
    ...['tokens', 'nextStep', 'first_next', 'x'],
  ];
  for (const name of secrets) assert.ok(isSecretName(name), name);
  for (const name of others) assert.ok(!isSecretName(name), name);
});
