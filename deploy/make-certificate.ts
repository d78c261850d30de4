/** A self-signed certificate for a test proxy, for the name in the files here and for this machine. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { requireProgram } from './find-program.ts';

export interface Certificate {
  readonly text: string;
  readonly file: string;
  readonly keyFile: string;
}

const NAMES = 'subjectAltName=DNS:things.example,IP:127.0.0.1';

export function makeCertificate(folder: string): Certificate {
  const [file, keyFile] = [join(folder, 'certificate.pem'), join(folder, 'key.pem')];
  const kind = '-x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2';
  const subject = ['-subj', '/CN=things.example', '-addext', NAMES];
  const args = ['req', ...kind.split(' '), ...subject, '-out', file, '-keyout', keyFile];
  execFileSync(requireProgram('openssl'), args, { stdio: 'pipe' });
  return { text: readFileSync(file, 'utf8'), file, keyFile };
}
