/** The address of a place in a bucket: `s3://bucket/prefix?region=eu-central-1&endpoint=https://s3.example.org`. */

export interface BucketAddress {
  readonly bucket: string;
  /** With a slash at its end; empty for the whole bucket. */
  readonly prefix: string;
  readonly region: string;
  /** The address of an object is that of its key after it. It ends with a slash. */
  readonly base: URL;
  /** For people: without the query. */
  readonly name: string;
}

const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
/** Characters that every service and proxy leaves as they are. */
const PREFIX = /^(?:[A-Za-z0-9_-][A-Za-z0-9._-]*\/)*$/;
const REGION = /^[a-z0-9-]{1,40}$/;
const EXAMPLE = 's3://bucket/prefix?region=eu-central-1&endpoint=https://s3.example.org';

/** Throws a `TypeError` that says what is wrong, and shows no more of it than that. */
export function parseBucketAddress(text: string): BucketAddress {
  const refuse = (why: string): never => {
    throw new TypeError(`Cannot store files in that bucket: ${why}. Write ${EXAMPLE}.`);
  };
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url?.protocol !== 's3:') return refuse('its address does not begin with s3://');
  if (url.username !== '' || url.password !== '' || url.port !== '' || url.hash !== '')
    return refuse('its address has more than a bucket, a prefix and a query; pass the keys apart');
  const { hostname: bucket, searchParams: query } = url;
  if (!BUCKET.test(bucket)) return refuse(`${JSON.stringify(bucket)} is no name of a bucket`);
  const prefix = url.pathname.replace(/^\//, '').replace(/([^/])$/, '$1/');
  if (!PREFIX.test(prefix))
    return refuse('its prefix may have letters, digits, hyphens, underscores and dots alone');
  const unknown = [...query.keys()].find((name) => name !== 'region' && name !== 'endpoint');
  if (unknown !== undefined) return refuse(`${JSON.stringify(unknown)} is no part of its query`);
  const endpoint = query.get('endpoint');
  const region = query.get('region') ?? (endpoint === null ? '' : 'us-east-1');
  if (!REGION.test(region)) return refuse('it needs a region, such as ?region=eu-central-1');
  const name = `s3://${bucket}/${prefix}`;
  if (endpoint === null) {
    // A dot would be another level of the name, which the certificate does not have.
    const base = bucket.includes('.')
      ? `https://s3.${region}.amazonaws.com/${bucket}/`
      : `https://${bucket}.s3.${region}.amazonaws.com/`;
    return { bucket, prefix, region, base: new URL(prefix, base), name };
  }
  const server = URL.canParse(endpoint) ? new URL(endpoint) : null;
  if (server === null || !/^https?:$/.test(server.protocol) || server.href !== `${server.origin}/`)
    return refuse('its endpoint must be only a scheme and a host');
  return { bucket, prefix, region, base: new URL(`${bucket}/${prefix}`, server), name };
}
