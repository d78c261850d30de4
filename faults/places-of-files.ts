/** Where the application stores files in a fault: a folder, or a bucket of a server in this process. */
import { join } from 'node:path';
import { startFauxqs } from 'fauxqs';
import type { Environment } from '../application/settings/config.ts';
import type { FilesPlace as FilesConfig } from '../application/settings/files-place.ts';
import { makeFolder, removeFolder } from '../application/testing/create-test-database.ts';
import { storedKeys } from '../framework/src/testing/stored-keys.ts';

export interface FilesPlace {
  readonly environment: Environment;
  readonly config: FilesConfig;
  /** The keys of all files. */
  readonly list: () => Promise<readonly string[]>;
  readonly remove: () => Promise<void>;
}

/** Of the server of a fault, which checks none. */
const KEYS = { accessKeyId: 'test', secretAccessKey: 'test' };

export function createFolderPlace(): FilesPlace {
  const parent = makeFolder();
  const filesFolder = join(parent, 'files');
  return {
    environment: { FILES_FOLDER: filesFolder },
    config: { filesFolder, filesBucket: null },
    list: () => storedKeys(filesFolder),
    remove: async () => removeFolder(parent),
  };
}

export async function createBucketPlace(): Promise<FilesPlace> {
  const server = await startFauxqs({ port: 0, logger: false });
  const { address, list } = await openBucket(server.port);
  return {
    environment: {
      FILES_URL: address,
      AWS_ACCESS_KEY_ID: KEYS.accessKeyId,
      AWS_SECRET_ACCESS_KEY: KEYS.secretAccessKey,
    },
    config: { filesFolder: '', filesBucket: { address, keys: KEYS } },
    list,
    remove: () => server.stop(),
  };
}

/** Makes the bucket of a server that runs. */
export async function openBucket(port: number) {
  const endpoint = `http://127.0.0.1:${port}`;
  await fetch(`${endpoint}/papers`, { method: 'PUT' });
  return {
    address: `s3://papers/site?endpoint=${endpoint}`,
    async list() {
      const keys: string[] = [];
      for (let after = ''; ; after = keys.at(-1) ?? '') {
        const query = `list-type=2&prefix=site/&start-after=${encodeURIComponent(after)}`;
        const page = await (await fetch(`${endpoint}/papers?${query}`)).text();
        const found = [...page.matchAll(/<Key>([^<]+)<\/Key>/g)].map(([, key = '']) => key);
        if (found.length === 0) break;
        keys.push(...found);
      }
      return keys
        .map((key) => key.slice('site/'.length))
        .filter((key) => /^[0-9a-f]{64}$/.test(key));
    },
  };
}
