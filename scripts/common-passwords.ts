/**
 * `node scripts/common-passwords.ts` writes the list of common passwords in the framework, from the package
 * `@zxcvbn-ts/language-common` (MIT): those of eight characters or more. The framework has it in itself because a site
 * needs it, and without a package must not be without it.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { dictionary } from '@zxcvbn-ts/language-common';
import { ROOT } from './project-files.ts';

const FILE = join(ROOT, 'framework/src/accounts/common-passwords.ts');
const list = dictionary['passwords-common'].filter((one) => one.length >= 8).sort();
// Sorted, it is a third smaller.
const compressed = brotliCompressSync(list.join('\n'), {
  params: { [constants.BROTLI_PARAM_QUALITY]: 11 },
}).toString('base64');
const lines = compressed.match(/.{1,118}/g) ?? [];

writeFileSync(
  FILE,
  `/**
 * The ${list.length.toLocaleString('en')} passwords of eight characters or more
 * that attackers try first, in lower case. They are compressed, because the list is large and nobody reads it.
 * \`node scripts/common-passwords.ts\` writes this file from \`@zxcvbn-ts/language-common\`
 * (MIT, © 2012–2016 Dan Wheeler and Dropbox, Inc., © 2021 @zxcvbn-ts).
 */
import { brotliDecompressSync } from 'node:zlib';

/** Takes about 10 ms, so it is for the first password that somebody chooses. */
export function readCommonPasswords(): ReadonlySet<string> {
  return new Set(brotliDecompressSync(Buffer.from(LIST, 'base64')).toString().split('\\n'));
}

const LIST = \`
${lines.join('\n')}
\`;
`,
);
