/** Forms with files. It needs the package `@fastify/busboy`, an optional peer dependency. */
export { fileField } from './src/upload/file-field.ts';
export { readUpload } from './src/upload/read-upload.ts';
export type { UploadedFile } from './src/upload/uploaded-file.ts';
