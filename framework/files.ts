/** The files of forms: where they are stored, and how they are served. */
export { createFolder } from './src/upload/create-folder.ts';
export type { FileStore } from './src/upload/file-store.ts';
export { sendFile } from './src/upload/send-file.ts';
export type { UploadedFile } from './src/upload/uploaded-file.ts';
