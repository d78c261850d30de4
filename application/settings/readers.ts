/** Who can read the items, in words for the start line, the doctor and the pages. */
import type { Readers } from './config.ts';

const IN_WORDS: Readonly<Record<Readers, string>> = {
  everybody:
    'Everybody who can open this site can read the items, without an account. To change them, and to see who has borrowed something, people need one.',
  members: 'Only people with an account can read the items.',
};

export function describeReaders(readers: Readers): string {
  return IN_WORDS[readers];
}
