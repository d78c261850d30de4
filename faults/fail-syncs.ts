/** Loaded before the application: its disk fails to sync as soon as the file FAIL_SYNCS exists. */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { diskError } from '../application/testing/replace-sync.ts';

const { fdatasync } = fs;
const fail: typeof fdatasync = Object.assign(
  (descriptor: number, callback: fs.NoParamCallback) => {
    if (fs.existsSync(process.env['FAIL_SYNCS'] ?? '')) setImmediate(callback, diskError());
    else fdatasync(descriptor, callback);
  },
  { __promisify__: fdatasync.__promisify__ },
);
fs.fdatasync = fail;
syncBuiltinESMExports();
