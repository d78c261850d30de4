/** A bucket of a server of S3 on this machine, behind a server that checks the signatures, and can fail. */
import { createServer, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startFauxqs } from 'fauxqs';
import type { StoreTest } from '../session/store-test.ts';
import { signRequest } from './sign-request.ts';

export const KEYS = { accessKeyId: 'test', secretAccessKey: 'secret' };

/** What happens to a request: null to pass it on, or the answer. `hang` gives none. */
export type Fault = (asked: {
  readonly method: string;
  readonly url: string;
}) => { readonly status: number; readonly body?: string } | 'hang' | 'lose' | null;

export async function openBucket(t: StoreTest, name = 'files') {
  const server = await startFauxqs({ port: 0, logger: false });
  let fault: Fault = () => null;
  const gate = createServer((asked, answer) => {
    const chunks: Buffer[] = [];
    asked.on('data', (chunk) => chunks.push(chunk));
    asked.on('end', () => {
      const { method = '', url = '', headers } = asked;
      const found = isSigned(method, url, headers, Buffer.concat(chunks))
        ? fault({ method, url })
        : { status: 403, body: '<Error><Code>SignatureDoesNotMatch</Code></Error>' };
      if (found === 'hang') return;
      if (found !== null && found !== 'lose') {
        answer.writeHead(found.status).end(found.body ?? '');
        return;
      }
      const passed = send({ port: server.port, method, path: url, headers }, (from) => {
        if (found === 'lose') {
          from.resume().on('end', () => answer.destroy());
          return;
        }
        answer.writeHead(from.statusCode ?? 500, from.headers);
        from.pipe(answer);
      });
      passed.end(Buffer.concat(chunks));
    });
  });
  await new Promise<void>((resolve) => gate.listen(0, '127.0.0.1', resolve));
  const { port } = gate.address() as AddressInfo;
  t.after(async () => {
    gate.closeAllConnections();
    gate.close();
    await server.stop();
  });
  const direct = `http://127.0.0.1:${server.port}/${name}`;
  await fetch(direct, { method: 'PUT' });
  const read = async (query: string, tag: string) => {
    const text = await (await fetch(`${direct}?${query}`)).text();
    return [...text.matchAll(new RegExp(`<${tag}>([^<]+)</${tag}>`, 'g'))].map(([, one]) => one);
  };
  return {
    address: `s3://${name}/things?endpoint=http://127.0.0.1:${port}`,
    fail(next: Fault) {
      fault = next;
    },
    /** The keys of all objects, and of uploads that were not completed. */
    stored: async () => [
      ...(await read('list-type=2', 'Key')),
      ...(await read('uploads', 'UploadId')),
    ],
  };
}

function isSigned(
  method: string,
  path: string,
  headers: Readonly<Record<string, unknown>>,
  body: Uint8Array,
): boolean {
  const time = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(`${headers['x-amz-date']}`);
  if (time === null) return false;
  const [, year, month, day, ...clock] = time;
  const now = new Date(`${year}-${month}-${day}T${clock.join(':')}Z`);
  const url = new URL(path, `http://${headers['host']}`);
  const { authorization } = signRequest({ method, url, body, region: 'us-east-1', now }, KEYS);
  return authorization === headers['authorization'];
}
