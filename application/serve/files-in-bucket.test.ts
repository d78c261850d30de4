import assert from 'node:assert/strict';
import test from 'node:test';
import { startFauxqs } from 'fauxqs';
import { bodyText, createVisitor } from 'seeother/testing';
import { findFilesObstacle } from '../settings/files-obstacle.ts';
import { reachInstance } from '../testing/reach-instance.ts';
import { startInProcess } from '../testing/start-in-process.ts';
import { uploadFile } from '../testing/upload-file.ts';

const KEYS = { accessKeyId: 'test', secretAccessKey: 'secret' };

test('files go to a bucket, and are refused with a 503 while it is away', async (t) => {
  const server = await startFauxqs({ port: 0, logger: false });
  const endpoint = `http://127.0.0.1:${server.port}`;
  await fetch(`${endpoint}/files`, { method: 'PUT' });
  const address = `s3://files/things?endpoint=${endpoint}`;
  const toPlace = (address: string) => ({ filesFolder: '', filesBucket: { address, keys: KEYS } });
  assert.equal(await findFilesObstacle(toPlace(address)), null);
  assert.match(
    (await findFilesObstacle(toPlace(address.replace('files', 'others')))) ?? '',
    /^Files cannot be stored in s3:\/\/others\/things, so .* 404 NoSuchBucket.*: check FILES_URL/,
  );
  const site = await startInProcess({
    FILES_URL: address,
    AWS_ACCESS_KEY_ID: KEYS.accessKeyId,
    AWS_SECRET_ACCESS_KEY: KEYS.secretAccessKey,
    SAMPLE_ITEMS: '0',
  });
  t.after(() => site.stop());
  const ada = createVisitor(reachInstance(() => site.url));
  const password = 'correct horse battery';
  await ada.submit('/register', { username: 'ada', password, passwordagain: password });
  const send = (content: string) =>
    uploadFile(ada, '/items/import', new File([content], 'drills.csv', { type: 'text/csv' }));
  assert.match(bodyText(await send('a\0b')), /drills\.csv, 3 bytes/);
  const list = await (await fetch(`${endpoint}/files?list-type=2`)).text();
  assert.match(list, /<Key>things\/[0-9a-f]{64}<\/Key>/);
  await server.stop();
  const refused = await send('name\nDrill\n');
  assert.equal(refused.status, 503);
  assert.match(bodyText(refused), /The file cannot be stored right now/);
});
