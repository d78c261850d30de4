/** The files of forms: where they are stored, and how they are served. */
export type { StoredFile } from './src/field/file-text.ts';
export { createFolder } from './src/upload/create-folder.ts';
export type { FileStore } from './src/upload/file-store.ts';
export { keepFiles, type StoredFiles } from './src/upload/keep-files.ts';
export { sendFile } from './src/upload/send-file.ts';
export type { UploadedFile } from './src/upload/uploaded-file.ts';
