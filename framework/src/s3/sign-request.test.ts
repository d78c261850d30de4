import assert from 'node:assert/strict';
import test from 'node:test';
import { signRequest } from './sign-request.ts';

/** The examples of the documentation of Signature Version 4 for S3. */
test('a request is signed as the examples of Amazon are', () => {
  const keys = {
    accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
    secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  };
  const sign = (
    method: string,
    path: string,
    headers: Readonly<Record<string, string>> = {},
    body = '',
  ) => {
    const url = new URL(path, 'https://examplebucket.s3.amazonaws.com');
    const now = new Date('2013-05-24T00:00:00.000Z');
    const { authorization } = signRequest(
      { method, url, body, region: 'us-east-1', now, headers },
      keys,
    );
    return /Signature=(\w+)$/.exec(authorization ?? '')?.[1];
  };
  assert.equal(
    sign('GET', '/test.txt', { range: 'bytes=0-9' }),
    'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
  );
  assert.equal(
    sign(
      'PUT',
      '/test%24file.text',
      { date: 'Fri, 24 May 2013 00:00:00 GMT', 'x-amz-storage-class': 'REDUCED_REDUNDANCY' },
      'Welcome to Amazon S3.',
    ),
    '98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd',
  );
  assert.equal(
    sign('GET', '/?lifecycle'),
    'fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543',
  );
  assert.equal(
    sign('GET', '/?max-keys=2&prefix=J'),
    '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7',
  );
});

test('a path and a query that a URL leaves as they are have the signature of their encoded form', () => {
  const sign = (path: string) => {
    const url = new URL(path, 'https://s3.example.org');
    const now = new Date('2013-05-24T00:00:00.000Z');
    const keys = { accessKeyId: 'key', secretAccessKey: 'secret' };
    return signRequest({ method: 'GET', url, body: '', region: 'us-east-1', now }, keys)
      .authorization;
  };
  const encoded = 'it%27s%281%29%21%2A';
  assert.equal(sign("/it's(1)!*"), sign(`/${encoded}`));
  assert.equal(sign("/?prefix=it's(1)!*"), sign(`/?prefix=${encoded}`));
});
