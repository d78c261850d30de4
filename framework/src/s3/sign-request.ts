/** Signs a request to S3 with AWS Signature Version 4. Its body is known before it is sent. */
import { createHash, createHmac } from 'node:crypto';

/** The keys of a service of S3. */
export interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Of temporary credentials. */
  readonly sessionToken?: string | undefined;
}

export interface Unsigned {
  readonly method: string;
  readonly url: URL;
  readonly body: Uint8Array | string;
  readonly region: string;
  readonly now: Date;
  /** Further headers that are signed, in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
}

type Bytes = Uint8Array | string;

/** A URL leaves these characters as they are, and the service signs them encoded. */
const encodeRest = (text: string) =>
  text.replaceAll(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`);
const encode = (text: string) => encodeRest(encodeURIComponent(text));

const sha256 = (content: Bytes) => createHash('sha256').update(content).digest('hex');
const hmac = (key: Bytes, content: string) => createHmac('sha256', key).update(content).digest();

/** The headers to send, but for Host. */
export function signRequest(
  { method, url, body, region, now, headers = {} }: Unsigned,
  { accessKeyId, secretAccessKey, sessionToken }: Credentials,
): Readonly<Record<string, string>> {
  const time = now.toISOString().replace(/[:-]|\.\d{3}/g, '');
  const day = time.slice(0, 8);
  const sent: Readonly<Record<string, string>> = {
    ...headers,
    'x-amz-content-sha256': sha256(body),
    'x-amz-date': time,
    ...(sessionToken === undefined ? {} : { 'x-amz-security-token': sessionToken }),
  };
  const signed = Object.entries({ ...sent, host: url.host }).sort(([one], [other]) =>
    one < other ? -1 : 1,
  );
  const names = signed.map(([name]) => name).join(';');
  const query = [...url.searchParams]
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .sort()
    .join('&');
  const canonical = [
    method,
    encodeRest(url.pathname),
    query,
    ...signed.map(([name, value]) => `${name}:${value}`),
    '',
    names,
    sent['x-amz-content-sha256'],
  ].join('\n');
  const scope = `${day}/${region}/s3/aws4_request`;
  const toSign = ['AWS4-HMAC-SHA256', time, scope, sha256(canonical)].join('\n');
  const key = [region, 's3', 'aws4_request'].reduce(
    hmac as (key: Uint8Array, part: string) => Buffer,
    hmac(`AWS4${secretAccessKey}`, day),
  );
  const signature = hmac(key, toSign).toString('hex');
  return {
    ...sent,
    authorization: `AWS4-HMAC-SHA256 Credential=${accessKeyId}/${scope},SignedHeaders=${names},Signature=${signature}`,
  };
}
