/** The files of forms in a bucket of S3, or of a service that speaks its protocol. */
export { createS3Store } from './src/s3/s3-store.ts';
export type { Credentials } from './src/s3/sign-request.ts';
